import { SPELLINGS } from "../../engine/vectors/syntax.ts";
import type { Fields } from "../../engine/vectors/vector.ts";
import { EXECUTION_WORDS, executionPath, ROUTES, VERSION_PREFIX } from "../operations.ts";
import { launchBounds } from "../request-fields.ts";
import type { Verb } from "../verbs/vocabulary.ts";
import { inText } from "./in-text.ts";

/** People who act in sequences. */
export type Who = "alice" | "bob";

/**
 * One thing that a search does to a service, in terms that still mean something when others are taken away: "the
 * challenge before the last one", "the second key". {@link CommandScript} makes one step of a vector of each.
 */
export type Command =
  | { readonly do: "challenge"; readonly who: Who }
  | { readonly do: "session"; readonly who: Who }
  /** `back`: how many challenges before the last one; `proof`: index in {@link PROOFS}. */
  | { readonly do: "verify"; readonly back: number; readonly proof: number }
  /** Indexes in {@link KEYS}, {@link INPUTS} and {@link SPELLINGS_USED}. */
  | {
      readonly do: "build";
      readonly who: Who;
      readonly key: number;
      readonly input: number;
      readonly spelling: number;
      /** 0 the last one, else the nth that was opened by itself, or the last before the service started anew. */
      readonly session: number | "former";
    }
  /** The first build under a creator's key once more; `back`: how many such before the last. */
  | { readonly do: "again"; readonly back: number }
  /** The same with another input under its key; index in {@link INPUTS}. */
  | { readonly do: "change"; readonly back: number; readonly input: number }
  /** A build with a fault of {@link BUILD_FAULTS}. */
  | { readonly do: "invalid"; readonly who: Who; readonly key: number; readonly fault: number }
  /**
   * Waits until just before, at, or just after a span of {@link SPANS} since now, since the first request of the
   * sequence, or since the last such event; of builds, those count that no earlier one had the key of.
   */
  | { readonly do: "wait"; readonly span: number; readonly edge: Edge; readonly since: Since }
  /** Lets so much time pass, in ms. */
  | { readonly do: "pause"; readonly ms: number }
  | { readonly do: "restart" }
  /** Index in {@link REQUESTS}. */
  | { readonly do: "request"; readonly request: number }
  /** Others come, each for a few of these, or for one. */
  | { readonly do: "crowd"; readonly of: Crowd; readonly each?: 1 }
  /** Alice and bob do the same at once: their requests are in flight together. */
  | { readonly do: "together"; readonly of: Pair }
  /** Index in {@link PROBES}. */
  | { readonly do: "probe"; readonly probe: number };

/** What crowds come for. */
export const CROWDS = ["challenges", "sessions", "builds"] as const;
export type Crowd = (typeof CROWDS)[number];

/** What two do at once: prove a challenge each, or build. */
export const PAIRS = ["proofs", "builds"] as const;
export type Pair = (typeof PAIRS)[number];

export type Edge = "just-before" | "at" | "just-after";
export type Since = "now" | "start" | "build" | "challenge" | "session";

/** Proofs: an honest one first, then every way in which one can fail. */
export const PROOFS: readonly Fields[] = [
  {},
  { proof: { by: "mallory" } },
  { proof: { by: "bob" } },
  { proof: { signature: "r-bit-flipped" } },
  { proof: { signature: "s-bit-flipped" } },
  { proof: { signature: "s-plus-l" } },
  { proof: { signature: "all-zero" } },
  { proof: { signature: "halves-swapped" } },
  { proof: { message: "first-byte-changed" } },
  { proof: { message: "byte-added" } },
  { proof: { length: 63 } },
  { proof: { length: 0 } },
  { proof: { encoding: "hex" } },
  { omit: ["signatureBase64"] },
  { extra: { note: "none" } },
  { id: "0123456789abcdef0123456789abcdef0123456789abcdef" },
  { id: "short" },
];

/** Idempotency keys; the first stands for a fresh one each time. */
export const KEYS: readonly (string | undefined)[] = [
  undefined,
  "key-number-1",
  "key-number-2",
  "KEY-NUMBER-1",
  "k".repeat(64),
];

/** How a key of {@link keyOfPart} differs from the others of its part; the last is the first in capitals. */
const KEYS_OF_PART = ["first", "other", "FIRST"] as const;

/** The index of a key that belongs to one part of a long sequence: beyond those of {@link KEYS}. */
export function keyOfPart(part: number, key: number): number {
  return KEYS.length + part * KEYS_OF_PART.length + key;
}

/** The idempotency key of an index; undefined for a fresh one. */
export function keyText(index: number): string | undefined {
  if (index < KEYS.length) return KEYS[index];
  const beyond = index - KEYS.length;
  const part = Math.floor(beyond / KEYS_OF_PART.length);
  return `key-${KEYS_OF_PART[beyond % KEYS_OF_PART.length]}-of-${part}`.padEnd(12, "-");
}

/** Inputs: the demo coin, then one field changed. */
export const INPUTS: readonly Fields[] = [
  {},
  { mint: "$gold" },
  { name: "Other Coin" },
  { symbol: "OTHR" },
  { uri: `https://${inText("hostB")}/other-coin.json` },
];

/** Spellings of the JSON of a build. */
export const SPELLINGS_USED = SPELLINGS;

/** A text of the launch request, filled to a character more than it may have. */
function tooLong(field: "name" | "symbol", begins: string): string {
  const most = launchBounds(field).characters;
  return begins.slice(0, most).padEnd(most + 1, "m");
}

/** Ways in which a build can be invalid; `$who` stands for its creator, `$other` for the other one. */
export const BUILD_FAULTS: readonly Fields[] = [
  { name: "" },
  { name: tooLong("name", "a name with more letters than it may have") },
  { symbol: "" },
  { symbol: tooLong("symbol", "TOOLONG") },
  { uri: "https://elsewhere.example/m.json" },
  { uri: `http://${inText("hostA")}/m.json` },
  { uri: `https://user@${inText("hostA")}/m.json` },
  { uri: `https://${inText("hostA")}:443/m.json` },
  { uri: `https://${inText("hostA")}/m.json#part` },
  { uri: `https://${inText("hostA")}/${"m".repeat(launchBounds("uri").characters)}` },
  { mint: "$who" },
  { mint: "0OIl".repeat(9) },
  { mint: "1".repeat(45) },
  { mint: 5 },
  { creator: "$other" },
  { creator: "$other", mint: "$gold" },
  { omit: ["symbol"] },
  { extra: { platform: "$gold" } },
  { body: "{" },
  { body: "[]" },
  { "pad-to": 16_385 },
  { key: null },
  { key: "short" },
  { key: "k".repeat(65) },
  { key: "a key with spaces" },
  { bearer: null },
  { bearer: "a-bearer-that-nobody-ever-issued-to-anyone" },
];

/** The faults that searches choose by name, by their index. */
export const FAULT = {
  foreignHost: faultOf("uri"),
  foreignCreator: faultOf("creator"),
  noKey: faultOf("key"),
  noBearer: faultOf("bearer"),
  tooLarge: faultOf("pad-to"),
} as const;

/** The first fault of that field. */
function faultOf(field: string): number {
  return BUILD_FAULTS.findIndex((fault) => Object.hasOwn(fault, field));
}

/** Spans of time that the contract knows, and some that it does not. */
export const SPANS = ["30s", "60s", "1h", "12s", "1s", "10m"] as const;

/** Requests besides the flow. */
export const REQUESTS: readonly Fields[] = [
  ROUTES.platform,
  { method: "POST", path: executionPath("sign"), json: {} },
  { method: "POST", path: executionPath("send"), json: {} },
  { ...ROUTES.challenge, json: {} },
  { ...ROUTES.challenge, body: "{" },
  { ...ROUTES.verify, json: { id: "none", signatureBase64: "none" } },
  { method: "GET", path: `${VERSION_PREFIX}/no-such-path` },
];

/** Requests that are answered alike in every state of a service. */
export const PROBES: readonly (readonly [verb: Verb, fields: Fields])[] = [
  ["platform", {}],
  // A challenge for other terms.
  ["challenge", { for: "alice", termsHash: "0".repeat(64) }],
  ...EXECUTION_WORDS.map(
    (word) => ["request", { method: "POST", path: executionPath(word), json: {} }] as const,
  ),
];
