import type { ServiceRequest } from "../../adapters/adapter.ts";
import { keyPairOf } from "../../contract/keys/key-pair.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { CONTEXT, exchangeOf, GOOD } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";
import { CREATOR, MINT, PARTS } from "./transactions.ts";
import { wireBytes } from "./wire.ts";

const SOMEBODY = keyPairOf("somebody else").address;

/** The good draft, in answer to a body that is another one. */
function answerTo(respell: (body: string) => string, changes: object = {}): Exchange {
  const { request, body } = GOOD.build;
  const asked: ServiceRequest = { ...request, body: respell(String(request.body)) };
  return exchangeOf(asked, { status: 200, body: { ...body, ...changes } });
}

/** The same with one more member in front of the others. */
function beside(name: string, value: string, changes: object = {}): Exchange {
  return answerTo((body) => body.replace("{", `{${JSON.stringify(name)}:${JSON.stringify(value)},`), changes);
}

/** A transaction in whose text there is this. */
function holding(text: string): object {
  const blockhash = Buffer.alloc(32, text.padEnd(32));
  const transaction = wireBytes({ ...PARTS, accounts: [CREATOR, MINT], blockhash });
  return { unsignedTransactionBase64: transaction.toString("base64") };
}

const ownedBy = (creator: string) => ({ creatorOf: () => creator });
const LONG = "a name of more than thirty-two bytes";

/** Drafts for somebody else than the session's creator, and of values that would be refused by themselves. */
export const BROKEN_OWNERS: readonly BrokenAnswer[] = [
  {
    rule: "LAUNCH-41",
    what: "a draft for another creator",
    exchange: GOOD.build,
    context: ownedBy(SOMEBODY),
  },
  {
    rule: "LAUNCH-41",
    what: "a draft for the other of two creators",
    exchange: beside("creator", SOMEBODY),
    context: ownedBy(SOMEBODY),
  },
  {
    rule: "LAUNCH-42",
    what: "of two mints the operator key",
    also: ["DRAFT-13"],
    exchange: beside("mint", String(CONTEXT.facts.operatorKey), {
      requiredSigners: [CREATOR, CONTEXT.facts.operatorKey],
    }),
  },
  {
    rule: "LAUNCH-42",
    what: "of two mints the creator",
    exchange: beside("mint", CREATOR, { requiredSigners: [CREATOR, CREATOR] }),
    context: ownedBy(CREATOR),
  },
  {
    rule: "LAUNCH-42",
    what: "of two addresses the foreign one",
    exchange: beside("uri", "https://evil.example/m.json", holding("https://evil.example/m.json")),
  },
  {
    rule: "LAUNCH-42",
    what: "of two symbols the longer one",
    exchange: beside("symbol", "ELEVENBYTES", holding("ELEVENBYTES")),
  },
];

/** Where nothing of it holds: the service took the value that is good. */
export const GOOD_OWNERS: readonly Omit<BrokenAnswer, "rule">[] = [
  { what: "of two creators the session's", exchange: beside("creator", SOMEBODY), context: ownedBy(CREATOR) },
  { what: "of two names the shorter one", exchange: beside("name", LONG), context: ownedBy(CREATOR) },
  { what: "two creators, and nobody knows whose session it is", exchange: beside("creator", SOMEBODY) },
];
