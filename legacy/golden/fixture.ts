import type { Facts, ImplementationInfo, ServiceRequest } from "../adapters/adapter.ts";
import type { ProofSpec } from "../contract/keys/proof.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { Matcher } from "./matchers.ts";

/** A JSON object as an answer's body is one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A call of the service as the adapter protocol's `handle` has it: bytes that are no UTF-8 stand in base64. */
export interface GoldenRequest extends Omit<ServiceRequest, "body"> {
  readonly body?: string;
  readonly bodyBase64?: string;
}

/** A header of HTTP. */
export interface HttpHeader {
  readonly name: string;
  readonly value: string;
}

/** The same exchange by the contract's prospective HTTP mapping; there is no base URL, so no host either. */
export interface HttpForm {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly HttpHeader[];
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HttpHeader[];
    readonly body: string;
  };
}

/**
 * A text in a request that another run has otherwise: a member of an earlier answer, one of the implementation's facts,
 * or a proof, which is made anew. It is replaced wherever it stands in bearer, key, path or body.
 */
export type Substitution =
  | { readonly value: string; readonly step: number; readonly pointer: string }
  | { readonly value: string; readonly fact: string }
  | { readonly value: string; readonly proof: GoldenProof };

/** Whose signature over which earlier answer's member, and what was changed about it. */
export interface GoldenProof extends Pick<ProofSpec, "message" | "signature" | "length" | "encoding"> {
  readonly by: string;
  readonly step: number;
  readonly pointer: string;
}

interface StepBase {
  /** From 1. */
  readonly step: number;
  /** The service's clock when the step begins, in ms since the Unix epoch. */
  readonly nowMs: number;
}

/** A request and the whole answer to it. */
export interface ExchangeStep extends StepBase {
  readonly kind: "exchange";
  readonly request: GoldenRequest;
  readonly response: { readonly status: number; readonly body: JsonObject };
  readonly http: HttpForm;
  /** Every outcome that the contract allows here, where it allows several. */
  readonly accepts?: readonly Outcome[];
  /** The open point on which they differ. */
  readonly open?: string;
  /** The earlier step whose answer this one repeats to the last member. */
  readonly sameAs?: number;
  /** Members of the answer's body that are not the same everywhere. */
  readonly matchers?: readonly Matcher[];
  readonly substitutions?: readonly Substitution[];
}

/** The service's clock moves on. */
export interface AdvanceStep extends StepBase {
  readonly kind: "advance";
  readonly ms: number;
}

/** A new service with empty state, at the same reading of the clock. */
export interface RestartStep extends StepBase {
  readonly kind: "restart";
}

/** One step of a recorded flow. */
export type GoldenStep = ExchangeStep | AdvanceStep | RestartStep;

/** A key pair that is published and stands for nobody. */
export interface DemoKey {
  /** What the private key is the SHA-256 of. */
  readonly label: string;
  readonly publicKey: string;
  /** RFC 8032 private key: 32 bytes in hex. */
  readonly privateKeyHex: string;
}

/** One flow as an implementation answered it. */
export interface Fixture {
  readonly contract: string;
  readonly version: string;
  readonly name: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly notice: string;
  readonly keys: Readonly<Record<string, DemoKey>>;
  readonly steps: readonly GoldenStep[];
}

/** A proof that was made: by whom, over which text, and what was changed about it. */
export type MadeProof = Omit<ProofSpec, "signer" | "signedBytes" | "bytes"> & { readonly by: string };

/** A flow that could not be recorded, and why. */
export interface Omission {
  readonly name: string;
  readonly reason: string;
}

/** Everything that was recorded of one implementation. */
export interface GoldenSet {
  readonly info: ImplementationInfo;
  readonly fixtures: readonly Fixture[];
  /** Flows that this implementation cannot be led through. */
  readonly omitted: readonly Omission[];
  /** Flows in which an answer broke the contract. */
  readonly broken: readonly Omission[];
}

/** The file of a folder of fixtures that lists the others. */
export const INDEX_FILE = "index.json";

/** What a folder of fixtures holds. */
export interface GoldenIndex {
  readonly contract: string;
  readonly version: string;
  readonly implementation: ImplementationInfo["implementation"];
  readonly clock: ImplementationInfo["capabilities"]["clock"];
  readonly facts: Facts;
  readonly fixtures: readonly IndexEntry[];
  readonly omitted: readonly Omission[];
}

/** What the index says of a fixture. */
export interface IndexEntry {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  readonly exchanges: number;
  readonly sha256: string;
}

/** The exchanges of a fixture, in order. */
export function exchangesOf({ steps }: Fixture): readonly ExchangeStep[] {
  return steps.filter((step) => step.kind === "exchange");
}

/** Grows whenever a fixture of the same flow changes for the same contract. */
const REVISION = 1;

/** Version of the fixtures: the contract's, and a revision. */
export const GOLDEN_VERSION = `${CONTRACT_ID}+golden.${REVISION}`;
