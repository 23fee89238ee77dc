/** Fixtures of flows, and the folders that contain them (schema: `vectors/contract/golden.schema.json`). */
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ImplementationInfo, Request } from "../adapters/adapter.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ProofSpec } from "../contract/proof.ts";
import { fileError, shownPath } from "../data/data-file.ts";
import type { JsonObject } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readChecked } from "../data/schema-check.ts";
import { writeTextFile } from "../data/write-file.ts";
import type { Matcher } from "./matchers.ts";

const SCHEMAS = join(DATA_FOLDER, "contract");

/** One flow (a sequence of steps), with the responses of an implementation. */
export interface Fixture {
  readonly contract: string;
  readonly version: string;
  readonly name: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly notice: string;
  /** Published key pairs by name. The private key is the SHA-256 hash of `label`. */
  readonly keys: Readonly<Record<string, Readonly<Record<"label" | "publicKey" | "privateKeyHex", string>>>>;
  readonly steps: readonly FixtureStep[];
}

export type FixtureStep = ExchangeStep | ClockStep;

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
  /** The open point that allows several outcomes. */
  readonly open?: string;
  /** Number of the earlier step whose response this response must repeat. */
  readonly sameAs?: number;
  readonly substitutions?: readonly Substitution[];
  /** Members of the response that may differ from the fixture. */
  readonly matchers?: readonly Matcher[];
}

/** Moves the clock, or replaces the service by a new one with empty state and the same time. */
export type ClockStep = StepBase &
  ({ readonly kind: "advance"; readonly ms: number } | { readonly kind: "restart" });

export interface FixtureRequest extends Pick<Request, "method" | "path" | "bearer" | "idempotencyKey"> {
  readonly body?: string;
  /** Base64 form of a body that is not valid UTF-8. */
  readonly bodyBase64?: string;
}

/** A member of an earlier response. */
interface Member {
  readonly step: number;
  readonly pointer: string;
}

/**
 * A string in a request that a replay must replace: with a member of an earlier response, a fact of the
 * implementation, or a new proof. For a proof, the key that `by` names signs a member of an earlier response.
 */
export type Substitution = { readonly value: string } & (
  | Member
  | { readonly fact: string }
  | { readonly proof: Member & { readonly by: string } & Omit<ProofSpec, "signer" | "text" | "bytes"> }
);

/** A flow that has no fixture, and why. */
export interface Omission {
  readonly name: string;
  readonly reason: string;
}

/** The fixtures of an implementation, and the flows without one. */
export interface Recording {
  readonly info: ImplementationInfo;
  readonly fixtures: readonly Fixture[];
  /** Flows that need a capability that this implementation lacks. */
  readonly omitted: readonly Omission[];
  /** Flows with a response that violated a rule, and those that ended in an error. */
  readonly failed: readonly Omission[];
}

/** Version of the fixtures. The last number changes if the fixture of an existing flow changes. */
export const FIXTURE_VERSION = `${SERVED_CONTRACT.version}+golden.1`;
export const INDEX_FILE = "index.json";

export function exchangesOf({ steps }: Fixture): readonly ExchangeStep[] {
  return steps.filter((step) => step.kind === "exchange");
}

/** Returns the texts of the files of a recording, by name: one for each fixture, and the index. */
export function fixtureFiles(recording: Recording): ReadonlyMap<string, string> {
  const texts = recording.fixtures.map((fixture) => [`${fixture.name}.json`, jsonText(fixture)] as const);
  return new Map([[INDEX_FILE, jsonText(indexOf(recording))], ...texts]);
}

/** Returns the index of a folder of fixtures. */
function indexOf({ info, fixtures, omitted }: Recording) {
  const { signedBytes, capacity, ...otherFacts } = info.facts;
  return {
    contract: SERVED_CONTRACT.version,
    version: FIXTURE_VERSION,
    implementation: info.implementation,
    clock: info.capabilities.clock,
    facts: { signedBytes, capacity, ...otherFacts },
    fixtures: fixtures.map((fixture) => ({
      name: fixture.name,
      file: `${fixture.name}.json`,
      title: fixture.title,
      exchanges: exchangesOf(fixture).length,
      sha256: createHash("sha256").update(jsonText(fixture)).digest("hex"),
    })),
    omitted,
  };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Reads a fixture of a folder. @throws {DataError} if it does not match its schema */
export function readFixture(folder: string, file: string): Fixture {
  return readChecked(join(folder, file), join(SCHEMAS, "golden.schema.json")).value as Fixture;
}

/** Reads the index of a folder. @throws {DataError} if it does not match its schema */
export function readIndex(folder: string) {
  const { value } = readChecked(join(folder, INDEX_FILE), join(SCHEMAS, "golden-index.schema.json"));
  return value as ReturnType<typeof indexOf>;
}

/**
 * Writes the files of a recording into a folder. They replace the files that the folder's index lists.
 * @throws {DataError} if the folder cannot be written, or its index is invalid
 */
export function writeFixtures(folder: string, files: ReadonlyMap<string, string>): void {
  const earlier = existsSync(join(folder, INDEX_FILE)) ? readIndex(folder).fixtures : [];
  try {
    for (const { file } of earlier) if (!files.has(file)) rmSync(join(folder, file), { force: true });
    for (const [file, text] of files) writeTextFile(join(folder, file), text, { folder });
  } catch (error) {
    throw fileError(shownPath(folder), "written", error);
  }
}
