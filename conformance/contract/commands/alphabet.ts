import type { Who } from "./action.ts";

/** The clock steps: to just before or just after so much time since the sequence began, or since alice's session did. */
export const LIMITS = [
  { span: "30s", edge: "just-before", of: "sequence" },
  { span: "30s", edge: "just-after", of: "sequence" },
  { span: "60s", edge: "just-before", of: "sequence" },
  { span: "60s", edge: "just-after", of: "sequence" },
  { span: "1h", edge: "just-before", of: "session" },
  { span: "1h", edge: "just-after", of: "session" },
] as const;

/** One letter of the alphabet over which the search tries every sequence. */
export type Letter =
  /** One of two creators, keys and inputs each, by their number. */
  | { readonly kind: "build"; readonly who: Who; readonly key: 1 | 2; readonly input: 1 | 2 }
  /** Four new builds of alice under fresh keys: two more are one too many. */
  | { readonly kind: "spend" }
  /** A build of alice under the first key that names a foreign host. */
  | { readonly kind: "invalid" }
  | { readonly kind: "challenge" }
  /** A proof for the last challenge: honest, or with a scalar that is not reduced. */
  | { readonly kind: "prove"; readonly honest: boolean }
  | { readonly kind: "restart" }
  /** A build of alice with the bearer that she had before the last restart. */
  | { readonly kind: "stale" }
  /** Index in {@link LIMITS}. */
  | { readonly kind: "wait"; readonly limit: number }
  | { readonly kind: "look"; readonly at: Sight };

/** Routes that do not exist (contract, "Endpoints"). */
export const EXECUTION = ["sign", "send", "buy", "claim", "payout"] as const;

/** What a closing look asks for besides drafts: it is answered alike in every state of a service. */
export type Sight =
  /** A build of alice for bob. */
  | "foreign"
  /** A build without a bearer, and one without a key. */
  | "bare"
  | "unkeyed"
  | "profile"
  /** A challenge for other terms. */
  | "terms"
  | (typeof EXECUTION)[number];

const BUILDS = (["alice", "bob"] as const).flatMap((who) =>
  ([1, 2] as const).flatMap((key) =>
    ([1, 2] as const).map((input): Letter => ({ kind: "build", who, key, input })),
  ),
);

/** Two creators, two keys, two inputs, good and bad proofs, every limit from both sides, a restart. */
export const ALPHABET: readonly Letter[] = [
  ...BUILDS,
  { kind: "spend" },
  { kind: "invalid" },
  { kind: "challenge" },
  { kind: "prove", honest: true },
  { kind: "prove", honest: false },
  { kind: "restart" },
  { kind: "stale" },
  ...LIMITS.map((_, limit): Letter => ({ kind: "wait", limit })),
];
