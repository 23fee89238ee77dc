/** Fixtures of flows, and the folders that hold them (schemas: `golden.schema.json`, `golden-index.schema.json`). */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Facts, ImplementationInfo, Request } from "../adapters/adapter.ts";
import type { JsonObject } from "../adapters/json.ts";
import { errorText, escapeText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ProofSpec } from "../contract/proof.ts";
import { findSchemaFaults } from "../contract/schema-check.ts";
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
  readonly http: HttpForm;
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

interface Header {
  readonly name: string;
  readonly value: string;
}

export interface HttpForm {
  readonly request: Pick<FixtureRequest, "method" | "path" | "body" | "bodyBase64"> & {
    readonly headers: readonly Header[];
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: string;
  };
}

/**
 * A text in a request that a replay replaces: by a member of an earlier response, by a fact of the implementation, or
 * by a new proof.
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

/** What a recording of an implementation gave. */
export interface Recording {
  readonly info: ImplementationInfo;
  readonly fixtures: readonly Fixture[];
  /** Flows that this implementation cannot be tested with. */
  readonly omitted: readonly Omission[];
  /** Flows in which a response violated a rule. */
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
const MAX_BYTES = 16 * 1024 * 1024;

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
    const text = readText(path);
    if (sha256(text) !== digest) altered.add(name);
    const fixture = parse(path, text, "golden.schema.json") as Fixture;
    if (fixture.name !== name)
      throw new DataError(
        `${shown(path)}: its name is ${escapeText(fixture.name, 60)}, but ${name} in the index`,
      );
    checkExpressions(path, fixture);
    return fixture;
  });
  return { index, fixtures, altered };
}

function readIndex(folder: string): FixtureIndex {
  const path = join(folder, INDEX_FILE);
  return parse(path, readText(path), "golden-index.schema.json") as FixtureIndex;
}

/** Returns the texts of the JSON files in a folder, by name. @throws {DataError} */
export function readFixtureTexts(folder: string): ReadonlyMap<string, string> {
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  if (names.length === 0) throw new DataError(`${shown(folder)}: there are no fixtures`);
  return new Map(names.map((name) => [name, readText(join(folder, name))]));
}

/**
 * Writes the files of a recording into a folder. They replace the files of its index.
 * @throws {DataError} if the folder cannot be written, or has other files with these names
 */
export function writeFixtures(folder: string, files: ReadonlyMap<string, string>): void {
  const present = namesIn(folder);
  for (const name of present.filter((one) => one.endsWith(".json")))
    if (!lstatSync(join(folder, name)).isFile())
      throw new DataError(`${shown(join(folder, name))}: is not a regular file; choose another folder`);
  const earlier = present.includes(INDEX_FILE) ? readIndex(folder).fixtures.map(({ file }) => file) : [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of earlier) if (!files.has(file)) rmSync(join(folder, file), { force: true });
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
  } catch (error) {
    throw new DataError(`${shown(folder)}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the names in a folder, which may be missing. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new DataError(`${shown(folder)}: cannot be read (${code})`);
  }
}

function readText(path: string): string {
  try {
    const { size } = lstatSync(path);
    if (size > MAX_BYTES) throw new DataError(`${shown(path)}: has ${size} bytes; the limit is 16 MiB`);
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new DataError(`${shown(path)}: cannot be read (${code})`);
  }
}

function parse(path: string, text: string, schema: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`${shown(path)}: not JSON: ${errorText(error)}`);
  }
  const [fault] = findSchemaFaults(value, join(DATA_FOLDER, "contract", schema));
  if (fault === undefined) return value;
  const place = fault.path.length === 0 ? "" : `${fault.path.join(".")}: `;
  throw new DataError(`${shown(path)}: not a fixture: ${escapeText(`${place}${fault.message}`, 200)}`);
}

/** A schema cannot require that a text is a regular expression. */
function checkExpressions(path: string, fixture: Fixture): void {
  for (const { step, matchers = [] } of exchangesOf(fixture))
    for (const matcher of matchers)
      try {
        if (matcher.match === "regex") new RegExp(matcher.regex);
      } catch (error) {
        throw new DataError(
          `${shown(path)}: step ${step}, matcher of ${matcher.pointer}: ${errorText(error)}`,
        );
      }
}

/** Returns a path as shown to people: relative to the working directory if it is below it. */
export function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return escapeText(short === "" || short.startsWith("..") ? path : short);
}
