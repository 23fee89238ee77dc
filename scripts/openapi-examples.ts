/** Writes the examples of the OpenAPI document, as the golden transcripts have them now. */
import { writeFileSync } from "node:fs";
import { PATHS } from "../legacy/paths.ts";
import { withGoldenExamples } from "./openapi/golden-examples.ts";

writeFileSync(PATHS.openapi, withGoldenExamples());
