import { KnownDrafts } from "../../contract/judge/known-drafts.ts";
import { keyPairOf } from "../../contract/keys/key-pair.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { judged } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";
import { draftOfLaunch } from "./draft-of-launch.ts";

const OTHER_MINT = keyPairOf("another mint").address;
const LATER_BLOCKHASH = new Uint8Array(32).fill(9);

/** A draft that is judged once others are known. */
function beside(
  rule: string,
  what: string,
  exchange: Exchange,
  others: readonly Exchange[] = [draftOfLaunch({})],
): BrokenAnswer {
  const drafts = new KnownDrafts();
  for (const other of others) judged(other, { drafts });
  return { rule, what, exchange, context: { drafts } };
}

/** Drafts that are each good in itself, and contradict another of the same service. */
export const CONTRADICTING_DRAFTS: readonly BrokenAnswer[] = [
  beside(
    "DRAFT-40",
    "the transaction and hash of another mint's draft",
    draftOfLaunch({ mint: OTHER_MINT, message: "launch" }),
    [draftOfLaunch({ message: "launch" })],
  ),
  beside(
    "DRAFT-40",
    "the messageHash of another mint's draft",
    draftOfLaunch({ mint: OTHER_MINT, hashed: "constant" }),
    [draftOfLaunch({ hashed: "constant" })],
  ),
  beside("DRAFT-41", "messageHash of other bytes than before", draftOfLaunch({ hashed: "other bytes" })),
  beside("DRAFT-41", "messageHash of the message, and of other bytes before", draftOfLaunch({}), [
    draftOfLaunch({ hashed: "other bytes" }),
  ]),
  beside(
    "DRAFT-42",
    "the name of another launch in the transaction",
    draftOfLaunch({ name: "Copper Violin", data: "launch Amber Lantern", mint: OTHER_MINT }),
    [draftOfLaunch({ name: "Amber Lantern", data: "launch Amber Lantern" })],
  ),
];

/** Drafts that are legal, and advised against for how they stand beside others. */
export const UNEQUAL_DRAFTS: readonly BrokenAnswer[] = [
  beside("DRAFT-43", "the name in one transaction, and none in another", draftOfLaunch({ data: "launch" }), [
    draftOfLaunch({ name: "Amber Lantern", data: "launch Amber Lantern" }),
  ]),
  beside("DRAFT-44", "another placeholder", draftOfLaunch({ blockhash: LATER_BLOCKHASH })),
];

/** Legal drafts, beside others that are legal, too. */
export const HARMONIOUS_DRAFTS: readonly BrokenAnswer[] = [
  beside("DRAFT-40", "the same launch again, with the same transaction", draftOfLaunch({})),
  beside("DRAFT-40", "another name with the same transaction", draftOfLaunch({ name: "Amber Lantern" })),
  beside("DRAFT-41", "hashes of other bytes each time", draftOfLaunch({ mint: OTHER_MINT, hashed: "one" }), [
    draftOfLaunch({ hashed: "two" }),
  ]),
  beside(
    "DRAFT-42",
    "a word of the format that was the name of another launch",
    draftOfLaunch({ data: "a launch" }),
    [draftOfLaunch({ name: "a launch", data: "a launch" })],
  ),
];
