/** Checks whether a client reports a draft although a response contradicts the contract. */

import { AUDIENCE, type Operation } from "../../contract/constants.ts";
import { findMismatches } from "../../contract/response-schemas.ts";
import { judgeDraft } from "../../judge/draft.ts";
import { Judgment } from "../../judge/judgment.ts";
import { wrongValueText } from "../../report/wording.ts";
import {
  type ClientExchange,
  exchangesOf,
  type History,
  hasStatus,
  type Launch,
  resultOf,
} from "../history.ts";
import { launches, type RuleTable, sent } from "./rule.ts";

/** A response value that contradicts the contract, and the rule that recommends not to trust the value. */
interface Departure {
  readonly rule: string;
  readonly what: string;
}

/** The members that each rule is about. Rules of one operation share the members that no other rule has. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "TRUST-1": ["productionApproved", "publicServer"],
  "TRUST-2": ["mode", "fixtureOnly", "sendable", "placeholderBlockhash"],
  "TRUST-3": ["requiredSigners"],
  "TRUST-4": ["platform", "feeWallet", "withdrawAuthority"],
  "TRUST-5": ["unsignedTransactionBase64"],
};
/** The rule about all other members of the responses of an operation. */
const OTHER_MEMBERS: Readonly<Partial<Record<Operation, string>>> = {
  challenge: "TRUST-7",
  verify: "TRUST-8",
  build: "TRUST-6",
};
/** The rule for services about the signers of a transaction. */
const TRANSACTION_SIGNERS = "DRAFT-13";

/** Rules about launches that end with a draft although a response contradicted the contract. */
export const TRUST_RULES: RuleTable = Object.fromEntries(
  [...Object.keys(MEMBERS), ...Object.values(OTHER_MEMBERS)].map((id) => [
    id,
    {
      expected: "no draft as the result if a response contradicts the contract",
      testedBy: sent("build"),
      check: launches((launch, history) => {
        if (resultOf(launch)?.kind !== "draft") return undefined;
        const departure = departuresOf(launch, history).find(({ rule }) => rule === id);
        return departure && `a draft, although ${departure.what}`;
      }),
    },
  ]),
);

/** Returns the departures from the contract in a launch's responses. Of the drafts, judges only the last. */
export function departuresOf(launch: Launch, history: History): readonly Departure[] {
  const lastBuild = exchangesOf("build", launch).findLast((exchange) => hasStatus(exchange, 200));
  const profile = exchangesOf("platform", history).findLast((exchange) => hasStatus(exchange, 200))?.body;
  return launch.exchanges.flatMap((exchange) => {
    const { operation, body } = exchange;
    if (operation === "build" ? exchange !== lastBuild : !hasStatus(exchange, 200)) return [];
    const judgment = new Judgment();
    for (const mismatch of findMismatches(operation, body)) judgment.add(mismatch);
    if (operation === "build")
      judgeDraft(exchange, { facts: history.facts, profile, creator: undefined }, judgment);
    if (operation === "challenge") judgeMessage(exchange, history, judgment);
    return judgment.mismatches.flatMap((mismatch) => {
      const { rule: serviceRule, path, expected } = mismatch;
      const rule = ruleOf(operation, serviceRule, path);
      const what = `the response to ${operation} had ${path}: ${wrongValueText(mismatch)}, not ${expected}`;
      return rule === undefined ? [] : { rule, what };
    });
  });
}

/** Checks that a message has the creator, the audience, and the terms hash. The expiry has no fixed format. */
function judgeMessage({ body, fields }: ClientExchange, { signedBytes }: History, judgment: Judgment): void {
  const { message } = body;
  const isEncoded = signedBytes === "hex" || signedBytes === "base64";
  if (typeof message !== "string" || isEncoded) return;
  const parts = [fields["creator"], AUDIENCE, fields["termsHash"]].map(String);
  const missing = parts.find((part) => !message.includes(part));
  if (missing !== undefined) judgment.addMismatch("", "message", `a text with ${missing}`, message);
}

function ruleOf(operation: Operation, serviceRule: string, path: string): string | undefined {
  if (serviceRule === TRANSACTION_SIGNERS) return "TRUST-3";
  const [member = ""] = path.split(".");
  const named = Object.entries(MEMBERS).find(([, members]) => members.includes(member))?.[0];
  const isNamed = operation === "build" || named === "TRUST-1";
  return (isNamed ? named : undefined) ?? OTHER_MEMBERS[operation];
}
