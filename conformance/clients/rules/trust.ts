/** Checks whether a client reports a draft although a response contradicts the contract. */
import { findMismatches } from "../../contract/response-schemas.ts";
import { judgeDraft } from "../../judge/draft.ts";
import { Judgment } from "../../judge/judgment.ts";
import { exchangesOf, type History, hasStatus, type Launch, resultOf } from "../history.ts";
import { launches, type RuleTable, sent } from "./rule.ts";

/** A response value that contradicts the contract, and the rule that recommends not to trust the value. */
interface Departure {
  readonly rule: string;
  /** Path of the value. */
  readonly path: string;
}

/** The members of a draft that each rule is about. TRUST-6 is about all other members. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "TRUST-2": ["mode", "fixtureOnly", "sendable", "placeholderBlockhash"],
  "TRUST-3": ["requiredSigners"],
  "TRUST-4": ["platform", "feeWallet", "withdrawAuthority"],
  "TRUST-5": ["unsignedTransactionBase64"],
};
/** The rule for services about the signers of a transaction. */
const TRANSACTION_SIGNERS = "DRAFT-13";

/** Rules about launches that end with a draft although a response contradicted the contract. */
export const TRUST_RULES: RuleTable = Object.fromEntries(
  ["TRUST-1", ...Object.keys(MEMBERS), "TRUST-6"].map((id) => [
    id,
    {
      expected: "no draft as the result if a response contradicts the contract",
      testedBy: sent("build"),
      check: launches((launch, history) => {
        if (resultOf(launch)?.kind !== "draft") return undefined;
        const departure = departuresOf(launch, history).find(({ rule }) => rule === id);
        return departure && `a draft, although the service sent a wrong ${departure.path}`;
      }),
    },
  ]),
);

/** Returns the departures from the contract in a launch's responses. Of the drafts, judges only the last. */
export function departuresOf(launch: Launch, history: History): readonly Departure[] {
  const departures: Departure[] = [];
  for (const { operation, body } of launch.exchanges) {
    if (body["productionApproved"] === true)
      departures.push({ rule: "TRUST-1", path: `productionApproved (${operation})` });
    if (operation === "platform" && body["publicServer"] === true)
      departures.push({ rule: "TRUST-1", path: "publicServer" });
  }
  const build = exchangesOf("build", launch).findLast((exchange) => hasStatus(exchange, 200));
  if (build === undefined) return departures;
  const judgment = new Judgment();
  for (const { rule, path, expected, got } of findMismatches("build", build.body))
    judgment.addMismatch(rule, path, expected, got);
  const profile = exchangesOf("platform", history).findLast((exchange) => hasStatus(exchange, 200))?.body;
  judgeDraft(build, { facts: history.facts, profile, creator: undefined }, judgment);
  for (const { rule, path } of judgment.mismatches)
    if (path !== "productionApproved") departures.push({ rule: ruleOf(rule, path), path });
  return departures;
}

function ruleOf(serviceRule: string, path: string): string {
  if (serviceRule === TRANSACTION_SIGNERS) return "TRUST-3";
  const [member = ""] = path.split(".");
  const [rule = "TRUST-6"] = Object.entries(MEMBERS).find(([, members]) => members.includes(member)) ?? [];
  return rule;
}
