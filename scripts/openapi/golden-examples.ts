import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Fixture } from "../../legacy/golden/fixture.ts";
import { PATHS } from "../../legacy/paths.ts";
import { exampleSources, withExamples } from "./examples.ts";

/** Text of the OpenAPI document with examples as the golden transcripts give them now. */
export function withGoldenExamples(): string {
  const text = readFileSync(PATHS.openapi, "utf8");
  return withExamples(text, exampleSources(parse(text)), readFixture);
}

/** The golden transcript of a name. */
export function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(PATHS.golden, `${name}.json`), "utf8")) as Fixture;
}
