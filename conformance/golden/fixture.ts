/** Fixtures of flows, and the folders that have them (schema: `vectors/contract/golden.schema.json`). */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts, ImplementationInfo, Request } from "../adapters/adapter.ts";
import type { JsonObject } from "../adapters/json.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { fileError, shownPath } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ProofSpec } from "../contract/proof.ts";
import { readChecked } from "../contract/schema-check.ts";
import type { Matcher } from "./matchers.ts";

const SCHEMAS = join(DATA_FOLDER, "contract");

/** One flow, with the responses of an implementation. */
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

/** A published key pair. It is for demonstration only. */
export interface DemoKey {
  /** Text whose SHA-256 hash is the private key. */
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
 * A text in a request that a replay replaces with a member of an earlier response, with a fact of the
 * implementation, or with a new proof.
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
  /** Flows that this implementation lacks a capability for. */
  readonly omitted: readonly Omission[];
  /** Flows with a response that violated a rule, and those that ended in an error. */
  readonly failed: readonly Omission[];
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
export const INDEX_FILE = "index.json";

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

/** Reads a fixture of a folder. @throws {DataError} if it does not match its schema */
export function readFixture(folder: string, file: string): Fixture {
  return readChecked(join(folder, file), join(SCHEMAS, "golden.schema.json")).value as Fixture;
}

/** Reads the index of a folder. @throws {DataError} if it does not match its schema */
export function readIndex(folder: string): FixtureIndex {
  return readChecked(join(folder, INDEX_FILE), join(SCHEMAS, "golden-index.schema.json"))
    .value as FixtureIndex;
}

/**
 * Writes the files of a recording into a folder. They replace the files that the folder's index lists.
 * @throws {DataError} if the folder cannot be written, or its index is invalid
 */
export function writeFixtures(folder: string, files: ReadonlyMap<string, string>): void {
  const earlier = namesIn(folder).includes(INDEX_FILE)
    ? readIndex(folder).fixtures.map(({ file }) => file)
    : [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of earlier) if (!files.has(file)) rmSync(join(folder, file), { force: true });
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
  } catch (error) {
    throw fileError(shownPath(folder), "written", error);
  }
}

/** Returns the names in a folder, or none if it is missing. */
export function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
