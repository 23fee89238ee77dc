import { stringify } from "yaml";
import { exchangesOf, type Fixture } from "../../conformance/golden/fixture.ts";

/** The file beside the OpenAPI document that its examples stand in. */
export const EXAMPLES_FILE = "openapi-examples.yaml";

const PARTS = ["request", "response", "idempotency-key"] as const;

/** Which value of a golden transcript an example is. */
export interface ExampleSource {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Number of the step, from 1. */
  readonly step: number;
  readonly part: (typeof PARTS)[number];
}

const HEADER =
  "# Examples for openapi.yaml, cut from the golden transcripts by `npm run golden:openapi`. Not to be edited here.";

/**
 * The examples that a document refers to, as `openapi-examples.yaml#/FIXTURE/step-NUMBER/PART`, each once.
 * @throws {Error} where a reference into that file has another form
 */
export function exampleSources(document: unknown): readonly ExampleSource[] {
  const references = new Set(referencesIn(document).filter((text) => text.startsWith(EXAMPLES_FILE)));
  return [...references].map((reference) => {
    const [, fixture, step, part] = /#\/([^/]+)\/step-(\d+)\/([^/]+)$/.exec(reference) ?? [];
    const known = PARTS.find((name) => name === part);
    if (fixture === undefined || known === undefined) throw new Error(`${reference} names no example`);
    return { fixture, step: Number(step), part: known };
  });
}

/**
 * Text of the file of examples: Example Objects (OpenAPI 3.1.0), each with the file and step that it is cut from.
 * @param fixtureOf the golden transcript of a name
 * @throws {Error} where a transcript has no such step, or the step no such part
 */
export function examplesText(
  sources: readonly ExampleSource[],
  fixtureOf: (name: string) => Fixture,
): string {
  const file: Record<string, Record<string, Record<string, object>>> = {};
  for (const source of sources) {
    const { fixture: name, step, part } = source;
    const fixture = fixtureOf(name);
    const steps = file[name] ?? {};
    const example = {
      summary: fixture.title,
      "x-golden": `${name}.json#${step}`,
      value: partOf(source, fixture),
    };
    file[name] = { ...steps, [`step-${step}`]: { ...steps[`step-${step}`], [part]: example } };
  }
  return `${HEADER}\n${stringify(file, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" })}`;
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
