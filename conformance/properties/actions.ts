/** The actions of random cases, in the form of steps of vectors. */
import fc from "fast-check";
import {
  MAX_BODY_BYTES,
  MAX_NAME_BYTES,
  MAX_SYMBOL_BYTES,
  ROUTES,
  type Store,
} from "../contract/constants.ts";
import { EXECUTION_PATHS } from "../contract/refusals.ts";
import type { Fields } from "../data/json.ts";
import type { RequestVerb } from "../suite/vector.ts";

/** A request, in the form of a step of a vector. */
export interface RequestAction {
  readonly verb: RequestVerb;
  readonly fields: Fields;
  /** Name by which later actions refer to the exchange. */
  readonly as?: string;
}

/** A request or another action. */
export type Action =
  | RequestAction
  | { readonly verb: "advance"; readonly ms: number }
  | { readonly verb: "restart" }
  /** Adds entries to a store: all by one actor, or each by a new actor. */
  | { readonly verb: "add-entries"; readonly store: Store; readonly times: number; readonly by?: string }
  /** Sends all requests at once. */
  | { readonly verb: "together"; readonly requests: readonly RequestAction[] };

/** Draws usual values `times` times as often as others. Shrinks towards the usual ones. */
export function usually<Value>(times: number, usual: fc.Arbitrary<Value>, others: fc.Arbitrary<Value>) {
  return fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: others });
}

/** Draws a value by weight. Counterexamples shrink towards the first value. */
export function pick<Value>(
  ...choices: readonly (readonly [weight: number, value: Value])[]
): fc.Arbitrary<Value> {
  return fc.constantFrom(...choices.flatMap(([weight, value]) => new Array<Value>(weight).fill(value)));
}

export const advance = (ms: number): Action => ({ verb: "advance", ms });
export const challenge = (owner: string, as?: string) => signIn("challenge", owner, as);
export const session = (owner: string, as?: string) => signIn("session", owner, as);

function signIn(verb: "challenge" | "session", owner: string, as: string | undefined): RequestAction {
  return { verb, fields: { for: owner }, ...(as !== undefined && { as }) };
}

/** Returns a build of alice that differs from the usual one in these fields. */
export const build = (fields: Fields = {}): RequestAction => ({
  verb: "build",
  fields: { by: "alice", ...fields },
});

/** Changes to a valid proof, by name. `other` is an actor who does not own the challenge. */
const PROOF_FIELDS = {
  valid: () => ({}),
  "of another creator": (other: string) => ({ proof: { by: other } }),
  "flipped bit": () => ({ proof: { signature: "s-bit-flipped" } }),
  "of another message": () => ({ proof: { message: "byte-added" } }),
  malformed: () => ({ signatureBase64: "AAAA" }),
  "extra field": () => ({ extra: { note: "" } }),
  "unknown ID": () => ({ id: "0123456789ab".repeat(4) }),
} satisfies Readonly<Record<string, (other: string) => Fields>>;

export type ProofName = keyof typeof PROOF_FIELDS;
export const PROOFS = Object.keys(PROOF_FIELDS) as ProofName[];

/** Changes that make a valid proof of bob's challenge invalid. */
export const PROOF_FAULTS: readonly Fields[] = [
  ...Object.values(PROOF_FIELDS).map((fieldsFor) => fieldsFor("alice")),
  { omit: ["id"] },
  { body: "{" },
].filter((fields) => Object.keys(fields).length > 0);

/** Returns a verify request. @param of name of the challenge @param owner its creator */
export function verify(of: string, proof: ProofName, owner: string): RequestAction {
  const changes = PROOF_FIELDS[proof](owner === "alice" ? "bob" : "alice");
  return { verb: "verify", fields: { challenge: `$${of}`, ...changes } };
}

/** Changes to the usual input of a build, by name. */
const INPUT_FIELDS = {
  usual: {},
  name: { name: "Other Coin" },
  "lower-case name": { name: "demo coin" },
  mint: { mint: "$silver" },
  symbol: { symbol: "OTHR" },
  host: { uri: "https://$" + "{hostB}/demo-coin.json" },
} as const satisfies Readonly<Record<string, Fields>>;

export type InputName = keyof typeof INPUT_FIELDS;
export const INPUTS = Object.keys(INPUT_FIELDS) as InputName[];

/** Fields that change the JSON spelling of a build's body, but not its value. */
export const SPELLINGS: readonly Fields[] = [
  {},
  { spelling: "reversed-keys" },
  { spelling: "white-space" },
  { spelling: "escaped" },
  { spelling: "reversed-white-space-escaped" },
  { replace: ["://", ":\\/\\/"] },
];

export function inputFields(input: InputName, spelling = 0): Fields {
  return { ...INPUT_FIELDS[input], ...SPELLINGS[spelling] };
}

/** Changes that make a valid build invalid. A `creator` does so only in a build by another actor. */
export const CORRUPTIONS: readonly Fields[] = [
  { name: "" },
  { name: "n".repeat(MAX_NAME_BYTES + 1) },
  { symbol: "S".repeat(MAX_SYMBOL_BYTES + 1) },
  { uri: "https://elsewhere.example/m.json" },
  { uri: "http://gateway/m.json" },
  { uri: `https://elsewhere.example/${"m".repeat(160)}` },
  { mint: "0OIl".repeat(9) },
  { mint: "$alice", creator: "$alice" },
  { mint: 5 },
  { creator: "$carol" },
  { creator: "$bob" },
  { creator: "$alice" },
  { omit: ["symbol"] },
  { extra: { extra: "field" } },
  { body: "{" },
  { body: "[]" },
  { "pad-to": MAX_BODY_BYTES + 1 },
  { key: null },
  { key: "short" },
  { key: "k".repeat(65) },
  { bearer: null },
  { bearer: "unknown-bearer-01234567890123456789012345678" },
];

const request = (method: string, path: string, body?: string): RequestAction => ({
  verb: "request",
  fields: { method, path, ...(body === undefined ? {} : { body }) },
});

/** Requests whose responses do not depend on the state of the service. */
export const STATELESS_REQUESTS: readonly RequestAction[] = [
  { verb: "platform", fields: {} },
  ...EXECUTION_PATHS.map((path) => request("POST", path, "{}")),
  request("POST", ROUTES.challenge.path, "{}"),
  request("POST", ROUTES.challenge.path, "{"),
  request("POST", ROUTES.verify.path, JSON.stringify({ id: "none", signatureBase64: "none" })),
  request("GET", "/v1/no-such-path"),
];
