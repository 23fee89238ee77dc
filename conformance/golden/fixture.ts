/** Fixtures of flows, and the folders that have them (schema: `vectors/contract/golden.schema.json`). */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts, ImplementationInfo, Request } from "../adapters/adapter.ts";
import type { JsonObject } from "../adapters/json.ts";
import { errorText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { DataError, type DataFile, readDataFile, shownPath } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ProofSpec } from "../contract/proof.ts";
import { checkSchema } from "../contract/schema-check.ts";
import type { Matcher } from "./matchers.ts";

/** One flow as an implementation answered it. */
export interface Fixture {
  readonly contract: string;
  readonly version: string;
  readonly name: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly notice: string;
  readonly keys: Readonly<Record<string, DemoKey>>;
  readonly steps: readonly FixtureStep[];
}

/** A key pair that is published, and that no person uses. */
export interface DemoKey {
  /** The private key is the SHA-256 of it. */
  readonly label: string;
  /** In base58. */
  readonly publicKey: string;
  readonly privateKeyHex: string;
}

export type FixtureStep = ExchangeStep | AdvanceStep | RestartStep;

interface StepBase {
  /** Number of the step, from 1. */
  readonly step: number;
  /** Reading of the service's clock at the start of the step, in ms since the Unix epoch. */
  readonly nowMs: number;
}

/** A request and its response. */
export interface ExchangeStep extends StepBase {
  readonly kind: "exchange";
  readonly request: FixtureRequest;
  readonly response: { readonly status: number; readonly body: JsonObject };
  /** The same exchange over HTTP (contract, "What the service does"). */
  readonly http: object;
  /** All allowed outcomes, if the contract allows several. */
  readonly accepts?: readonly Outcome[];
  /** The open point that allows them. */
  readonly open?: string;
  /** The earlier step whose response this one repeats. */
  readonly sameAs?: number;
  readonly substitutions?: readonly Substitution[];
  /** Members of the response that may differ. */
  readonly matchers?: readonly Matcher[];
}

/** Moves the clock. */
export interface AdvanceStep extends StepBase {
  readonly kind: "advance";
  readonly ms: number;
}

/** Replaces the service by a new one with empty state and the same time. */
export interface RestartStep extends StepBase {
  readonly kind: "restart";
}

export interface FixtureRequest extends Pick<Request, "method" | "path" | "bearer" | "idempotencyKey"> {
  readonly body?: string;
  /** Bytes that are not valid UTF-8. */
  readonly bodyBase64?: string;
}

/**
 * A text in a request that a replay replaces: by a member of an earlier response, by a fact of the
 * implementation, or by a new proof.
 */
export type Substitution =
  | { readonly value: string; readonly step: number; readonly pointer: string }
  | { readonly value: string; readonly fact: string }
  | { readonly value: string; readonly proof: FixtureProof };

/** A proof over a member of an earlier response. */
export interface FixtureProof extends Pick<ProofSpec, "message" | "signature" | "length" | "encoding"> {
  /** Name of the signer's key. */
  readonly by: string;
  readonly step: number;
  readonly pointer: string;
}

/** A flow that has no fixture, and why. */
export interface Omission {
  readonly name: string;
  readonly reason: string;
}

/** The fixtures of an implementation, and the flows without one. */
export interface Recording {
  readonly info: ImplementationInfo;
  readonly fixtures: readonly Fixture[];
  /** Flows that this implementation lacks a capability for, or that ended in an error. */
  readonly omitted: readonly Omission[];
  /** Flows with a response that violated a rule. */
  readonly violated: readonly Omission[];
}

/** The index of a folder of fixtures. */
export interface FixtureIndex {
  readonly contract: string;
  readonly version: string;
  readonly implementation: ImplementationInfo["implementation"];
  readonly clock: ImplementationInfo["capabilities"]["clock"];
  readonly facts: Facts;
  readonly fixtures: readonly {
    readonly name: string;
    readonly file: string;
    readonly title: string;
    readonly exchanges: number;
    readonly sha256: string;
  }[];
  readonly omitted: readonly Omission[];
}

/** Version of the fixtures. The last number changes if a fixture of the same flow changes. */
export const FIXTURE_VERSION = `${SERVED_CONTRACT.version}+golden.1`;
const INDEX_FILE = "index.json";

export function exchangesOf({ steps }: Fixture): readonly ExchangeStep[] {
  return steps.filter((step) => step.kind === "exchange");
}

/** Returns the texts of the files of a recording, by name: one for each fixture, and the index. */
export function fixtureFiles({ info, fixtures, omitted }: Recording): ReadonlyMap<string, string> {
  const files = fixtures.map((fixture) => {
    const { name, title } = fixture;
    const text = jsonText(fixture);
    const exchanges = exchangesOf(fixture).length;
    return { text, entry: { name, file: `${name}.json`, title, exchanges, sha256: sha256(text) } };
  });
  const { signedBytes, capacity, ...otherFacts } = info.facts;
  const index: FixtureIndex = {
    contract: SERVED_CONTRACT.version,
    version: FIXTURE_VERSION,
    implementation: info.implementation,
    clock: info.capabilities.clock,
    facts: { signedBytes, capacity, ...otherFacts },
    fixtures: files.map(({ entry }) => entry),
    omitted,
  };
  const texts = files.map(({ entry, text }) => [entry.file, text] as const);
  return new Map([[INDEX_FILE, jsonText(index)], ...texts]);
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the SHA-256 of the UTF-8 bytes of a text, in hexadecimal. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A folder of fixtures. */
export interface FixtureFolder {
  readonly index: FixtureIndex;
  readonly fixtures: readonly Fixture[];
  /** Names of the fixtures that do not have the digest of the index. */
  readonly altered: ReadonlySet<string>;
}

/**
 * Reads a folder of fixtures.
 * @throws {DataError} if a file is missing, or does not match its schema
 */
export function readFixtures(folder: string): FixtureFolder {
  const index = readIndex(folder);
  const altered = new Set<string>();
  const fixtures = index.fixtures.map(({ name, file, sha256: digest }) => {
    const path = join(folder, file);
    const source = readChecked(path, "golden.schema.json");
    const fixture = source.value as Fixture;
    if (fixture.name !== name) source.addFault(["name"], `the index has the name ${name}`);
    addExpressionFaults(fixture, source);
    source.throwFaults();
    if (sha256(readFileSync(path, "utf8")) !== digest) altered.add(name);
    return fixture;
  });
  return { index, fixtures, altered };
}

function readIndex(folder: string): FixtureIndex {
  return readChecked(join(folder, INDEX_FILE), "golden-index.schema.json").value as FixtureIndex;
}

function readChecked(path: string, schema: string): DataFile {
  const source = readDataFile(path);
  checkSchema(source, join(DATA_FOLDER, "contract", schema));
  source.throwFaults();
  return source;
}

/** A schema cannot require that a text is a regular expression. */
function addExpressionFaults({ steps }: Fixture, source: DataFile): void {
  for (const [index, step] of steps.entries())
    for (const [place, matcher] of (("matchers" in step && step.matchers) || []).entries())
      try {
        if (matcher.match === "regex") new RegExp(matcher.regex);
      } catch (error) {
        source.addFault(["steps", index, "matchers", place, "regex"], errorText(error));
      }
}

/** Returns the texts of the JSON files in a folder, by name. @throws {DataError} if there are none */
export function readFixtureTexts(folder: string): ReadonlyMap<string, string> {
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  if (names.length === 0) throw new DataError(`${shownPath(folder)}: there are no fixtures`);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/**
 * Writes the files of a recording into a folder. They replace the files of its index.
 * @throws {DataError} if the folder cannot be written, or has other files with these names
 */
export function writeFixtures(folder: string, files: ReadonlyMap<string, string>): void {
  const present = namesIn(folder);
  for (const name of present.filter((one) => one.endsWith(".json")))
    if (!lstatSync(join(folder, name)).isFile())
      throw new DataError(`${shownPath(join(folder, name))}: is not a regular file; choose another folder`);
  const earlier = present.includes(INDEX_FILE) ? readIndex(folder).fixtures.map(({ file }) => file) : [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of earlier) if (!files.has(file)) rmSync(join(folder, file), { force: true });
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
  } catch (error) {
    throw new DataError(`${shownPath(folder)}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the names in a folder, or none if it is missing. */
function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
