import type { Vocabulary } from "../../engine/contract.ts";
import { LEADING_ZERO, ODD_PEOPLE } from "../keys/odd-key.ts";
import type { OperationName } from "../operations.ts";

/** Verbs that send requests: the four operations, both of a sign-in, and any request at all. */
export type Verb = OperationName | "session" | "request";

/** What the vectors of this contract may say. */
export const VOCABULARY: Vocabulary = {
  operations: new Set<Verb>(["platform", "challenge", "verify", "session", "build", "request"]),
  composite: new Set<Verb>(["session"]),
  // To fill a store is to start with an empty one; how long things live is measured where time can be moved.
  custom: new Map([
    ["flood", ["restart"]],
    ["crowd", []],
    ["youngest", []],
    ["lifetime", ["virtual-clock"]],
  ]),
  // People sign; metals are mints. Each vector has its own pairs. Some are named for what is odd about their keys.
  cast: new Set([
    "alice",
    "bob",
    "carol",
    "dave",
    "erin",
    "mallory",
    "gold",
    "silver",
    "copper",
    "tin",
    "zinc",
    ...ODD_PEOPLE,
    LEADING_ZERO,
  ]),
  provided: new Map([
    ["hostA", undefined],
    ["hostB", undefined],
    ["operatorKey", "operatorKey"],
    ["aliceInOtherCase", undefined],
    ["operatorKeyInOtherCase", "operatorKey"],
    ["platform", undefined],
  ]),
  fieldNeeds: new Map([
    ["authorization", "http"],
    ["chunked", "http"],
    ["handed", "in-process"],
  ]),
  castFields: ["for", "by", "proof.by"],
};

/** Fields that name an earlier exchange or one of the cast, and so are not filled in. */
export const NAME_FIELDS: ReadonlySet<string> = new Set(["challenge", "session", "for", "by"]);
