/** Checks of drafts that violate the contract, but that the client reports as its result. */
import { findMismatches } from "../../contract/response-schemas.ts";
import { judgeDraft } from "../../judge/draft.ts";
import { Judgment } from "../../judge/judgment.ts";
import {
  exchangesOf,
  exchangesOfLaunch,
  type History,
  hasStatus,
  type Launch,
  resultOf,
} from "../history.ts";
import { type RuleTable, sent } from "./rule.ts";

/** A value in a response that contradicts the contract, and the rule that recommends not to trust it. */
interface Departure {
  readonly rule: string;
  /** Path of the value. */
  readonly path: string;
}

const OTHER = "CLIENT-TRUST-6";
/** The rule about each member of a draft. All others belong to {@link OTHER}. */
const RULE_OF_MEMBER: Readonly<Record<string, string>> = {
  mode: "CLIENT-TRUST-2",
  fixtureOnly: "CLIENT-TRUST-2",
  sendable: "CLIENT-TRUST-2",
  placeholderBlockhash: "CLIENT-TRUST-2",
  requiredSigners: "CLIENT-TRUST-3",
  platform: "CLIENT-TRUST-4",
  feeWallet: "CLIENT-TRUST-4",
  withdrawAuthority: "CLIENT-TRUST-4",
  unsignedTransactionBase64: "CLIENT-TRUST-5",
};
/** The rule for services about the signers of a transaction. */
const TRANSACTION_SIGNERS = "DRAFT-13";

/** Rules about launches that end with a draft although a response contradicted the contract. */
export const TRUST_RULES: RuleTable = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((number) => [
    `TRUST-${number}`,
    {
      expected: "no draft from a service that contradicts the contract",
      testedBy: sent("build"),
      check: (history) =>
        history.launches
          .filter((launch) => resultOf(launch)?.kind === "draft")
          .flatMap((launch) =>
            departuresOf(launch, history)
              .filter(({ rule }) => rule === `CLIENT-TRUST-${number}`)
              .map(({ path }) => ({ launch, got: `a draft from a service with a wrong ${path}` })),
          ),
    },
  ]),
);

/** Returns all departures from the contract in the responses of a launch, up to its last draft. */
export function departuresOf(launch: Launch, history: History): readonly Departure[] {
  const own = exchangesOfLaunch(launch, history);
  const departures: Departure[] = [];
  for (const { operation, body } of own) {
    if (body["productionApproved"] === true)
      departures.push({ rule: "CLIENT-TRUST-1", path: `productionApproved (${operation})` });
    if (operation === "platform" && body["publicServer"] === true)
      departures.push({ rule: "CLIENT-TRUST-1", path: "publicServer" });
  }
  const build = own.findLast((exchange) => exchange.operation === "build" && hasStatus(exchange, 200));
  if (build === undefined) return departures;
  const { facts } = history;
  const judgment = new Judgment();
  for (const { rule, path, expected, got } of findMismatches("build", build.body))
    judgment.addMismatch(rule, path, expected, got);
  const profile = exchangesOf("platform", history).findLast((exchange) => hasStatus(exchange, 200))?.body;
  judgeDraft(build, { facts, profile, creator: undefined }, judgment);
  for (const { rule, path } of judgment.mismatches)
    if (path !== "productionApproved") departures.push({ rule: ruleOf(rule, path), path });
  return departures;
}

function ruleOf(serviceRule: string, path: string): string {
  if (serviceRule === TRANSACTION_SIGNERS) return "CLIENT-TRUST-3";
  const [member = ""] = path.split(".");
  return RULE_OF_MEMBER[member] ?? OTHER;
}
