import { keyPairOf } from "../../contract/keys/key-pair.ts";
import { type Body, changed, ISSUED_AT } from "../exchanges.ts";
import { timeInSteps } from "../timekeeping.ts";
import type { BrokenAnswer } from "./broken-answer.ts";
import {
  challengeWith,
  EXPIRES_AT,
  type MessageParts,
  NOTHING,
  PARTS,
  RAW_CREATOR,
  RAW_TERMS_HASH,
} from "./messages.ts";

function lacks(rule: string, what: string, parts: Partial<MessageParts>): readonly BrokenAnswer[] {
  return (["utf8", "hex", "base64"] as const).map((signedBytes) => ({
    rule,
    what: `message as ${signedBytes}: ${what}`,
    exchange: challengeWith(parts, signedBytes),
    context: { facts: { metadataHosts: ["a.example", "b.example"], signedBytes, capacity: {} } },
  }));
}

/** A lifetime that is wrong by so many ms, on a clock that counts in these steps. */
function lives(
  ms: number,
  resolutionMs: number,
  write = (at: number): unknown => new Date(at).toISOString(),
): BrokenAnswer {
  const exchange = changed("challenge", (body: Body) => {
    body.expiresAt = write(ISSUED_AT + ms);
    body.message += `\n${write(ISSUED_AT + ms)}`;
  });
  const what = `expiresAt is ${ms} ms after the issue, on a clock of ${resolutionMs} ms`;
  return { rule: "CHALLENGE-9", what, exchange, context: { timekeeping: timeInSteps(resolutionMs) } };
}

const seconds = (at: number) => Math.floor(at / 1000);

/** Challenge messages that lack a part, and lifetimes that are off. */
export const BROKEN_MESSAGES: readonly BrokenAnswer[] = [
  ...lacks("CHALLENGE-5", "no creator", { creator: NOTHING }),
  ...lacks("CHALLENGE-5", "another creator", { creator: keyPairOf("somebody else").address }),
  ...lacks("CHALLENGE-5", "half of the creator", { creator: RAW_CREATOR.subarray(0, 31) }),
  ...lacks("CHALLENGE-6", "no audience", { audience: NOTHING }),
  ...lacks("CHALLENGE-6", "another audience", { audience: "online-demo" }),
  ...lacks("CHALLENGE-7", "no terms hash", { termsHash: NOTHING }),
  ...lacks("CHALLENGE-7", "half of the terms hash", { termsHash: String(PARTS.termsHash).slice(1) }),
  ...lacks("CHALLENGE-7", "a byte of the terms hash is wrong", {
    termsHash: Buffer.from([...RAW_TERMS_HASH.subarray(1), 0]),
  }),
  ...lacks("CHALLENGE-8", "no expiry", { expiry: "in a minute" }),
  ...lacks("CHALLENGE-8", "the issue in place of the expiry", { expiry: new Date(ISSUED_AT).toISOString() }),
  ...lacks("CHALLENGE-8", "an expiry that is two seconds off", { expiry: String(EXPIRES_AT + 2_000) }),
  lives(59_999, 1),
  lives(60_001, 1),
  lives(0, 1),
  lives(3_600_000, 1),
  lives(59_000, 1000),
  lives(61_000, 1000),
  lives(59_000, 1, seconds),
  lives(62_000, 1, seconds),
  lives(60_000, 1, (at) => at - 3_600_000),
  lives(60_000, 1, (at) => new Date(at).toISOString().replace("Z", "+01:00")),
];
