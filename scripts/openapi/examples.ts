import { stringify } from "yaml";
import { exchangesOf, type Fixture } from "../../legacy/golden/fixture.ts";

/** Where in the OpenAPI document its examples stand: Example Objects (OpenAPI 3.1.0) by name. */
export const EXAMPLES = "#/components/examples/";

/** Which value of a golden transcript an example is. */
export interface ExampleSource {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Number of the step, from 1. */
  readonly step: number;
  readonly part: string;
}

/** The examples are the last member of the document's components, from this line on. */
const HEADER =
  "  # Examples, cut from the golden transcripts by `npm run golden`. Not to be edited here.\n  examples:";

/**
 * The examples that a document refers to, each once, by the name that the reference gives them: fixture, step, part.
 * @throws {Error} where a reference to an example has another form
 */
export function exampleSources(document: unknown): ReadonlyMap<string, ExampleSource> {
  const references = new Set(referencesIn(document).filter((text) => text.startsWith(EXAMPLES)));
  const sources = [...references].map((reference) => {
    const name = reference.slice(EXAMPLES.length);
    const [, fixture, step, part] = /^(.+)-(\d+)-(request|response|idempotency-key)$/.exec(name) ?? [];
    if (fixture === undefined || part === undefined) throw new Error(`${reference} names no example`);
    return [name, { fixture, step: Number(step), part }] as const;
  });
  return new Map(sources);
}

/**
 * Text of the document with its examples written anew, each with the file and step that it is cut from.
 * @param fixtureOf the golden transcript of a name
 * @throws {Error} where a transcript has no such step, or the step no such part, or the document no place for examples
 */
export function withExamples(
  text: string,
  sources: ReadonlyMap<string, ExampleSource>,
  fixtureOf: (name: string) => Fixture,
): string {
  const examples = [...sources].map(([name, source]) => {
    const fixture = fixtureOf(source.fixture);
    const golden = `${source.fixture}.json#${source.step}`;
    return [name, { summary: fixture.title, "x-golden": golden, value: partOf(source, fixture) }] as const;
  });
  const options = { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" } as const;
  const at = text.indexOf(HEADER);
  if (at === -1) throw new Error(`the document has no line ${HEADER}`);
  const lines = stringify(Object.fromEntries(examples), options).replaceAll(/^(?=.)/gm, "    ");
  return `${text.slice(0, at)}${HEADER}\n${lines}`;
}

function partOf({ fixture: name, step, part }: ExampleSource, fixture: Fixture): unknown {
  const exchange = exchangesOf(fixture).find((candidate) => candidate.step === step);
  if (exchange === undefined) throw new Error(`${name} has no exchange as step ${step}`);
  const { request, response } = exchange.http;
  if (part === "response") return JSON.parse(response.body);
  const text =
    part === "request"
      ? request.body
      : request.headers.find((header) => /^idempotency-key$/i.test(header.name))?.value;
  if (text === undefined) throw new Error(`step ${step} of ${name} has no ${part}`);
  return part === "request" ? JSON.parse(text) : text;
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}
