import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readYaml } from "../../conformance/engine/data/yaml-source.ts";
import type { Fixture } from "../../conformance/golden/fixture.ts";
import { PATHS } from "../../conformance/paths.ts";
import { exampleSources, examplesText } from "./examples.ts";

/** Text of the file of examples as the OpenAPI document and the golden transcripts give it now. */
export function goldenExamplesText(): string {
  return examplesText(exampleSources(readYaml(PATHS.openapi).value), readFixture);
}

/** The golden transcript of a name. */
export function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(PATHS.golden, `${name}.json`), "utf8")) as Fixture;
}
