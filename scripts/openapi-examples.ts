/** Writes the examples that the OpenAPI document refers to, as the golden transcripts have them now. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATHS } from "../conformance/paths.ts";
import { EXAMPLES_FILE } from "./openapi/examples.ts";
import { goldenExamplesText } from "./openapi/golden-examples.ts";

writeFileSync(join(PATHS.contract, EXAMPLES_FILE), goldenExamplesText());
