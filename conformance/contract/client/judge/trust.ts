import type { Advice } from "../../../engine/play/judgement.ts";
import { EXACT } from "../../../engine/play/timekeeping.ts";
import { judgeDraft } from "../../judge/draft.ts";
import { responseSchemas } from "../../judge/response-schemas.ts";
import type { Asked, ClientReading, Launch } from "./client-reading.ts";
import { requestsOf } from "./own-requests.ts";
import type { StageKnowledge } from "./stage-knowledge.ts";

/** What an answer says that no service says by the contract. */
export interface Departure {
  /** The rule by which a client had better not believe it. */
  readonly rule: string;
  /** The member of the answer. */
  readonly path: string;
}

/** Drafts that a client took although the service, or the draft, is not what the contract says. */
export function adviseOnTrust(reading: ClientReading, knowledge: StageKnowledge): readonly Advice[] {
  return reading.launches
    .filter(({ result }) => result?.kind === "draft")
    .flatMap((launch) => departuresIn(launch, reading, knowledge))
    .map(({ rule, path }) => ({ rule, message: `${MESSAGES[rule] ?? MESSAGES[OTHER]}: ${path}` }));
}

const OTHER = "CLIENT-TRUST-6";
const MESSAGES: Readonly<Record<string, string>> = {
  "CLIENT-TRUST-1": "a draft is taken of a service that says it is approved for production, or public",
  "CLIENT-TRUST-2": "a draft is taken that calls itself sendable, or no fixture",
  "CLIENT-TRUST-3": "a draft is taken that has other signers than the creator and the mint",
  "CLIENT-TRUST-4": "a draft is taken that has other keys than the profile",
  "CLIENT-TRUST-5": "a draft is taken whose transaction is not unsigned",
  [OTHER]: "a draft is taken that departs from the contract",
};

/** All that the answers of a launch say against the contract, up to the last draft in it. */
export function departuresIn(
  launch: Launch,
  reading: ClientReading,
  { facts }: StageKnowledge,
): readonly Departure[] {
  const own = requestsOf(launch, reading);
  const found = new Map<string, Departure>();
  const add = (rule: string, path: string) => found.set(`${rule} ${path}`, { rule, path });
  for (const { answer, operation } of own) {
    if (answer["productionApproved"] === true) add("CLIENT-TRUST-1", `productionApproved of ${operation}`);
    if (operation === "platform" && answer["publicServer"] === true) add("CLIENT-TRUST-1", "publicServer");
  }
  const built = own.filter(({ operation, status }) => operation === "build" && status === 200).at(-1);
  if (built === undefined) return [...found.values()];
  for (const { path, rule } of mismatchesOf(built, reading, facts)) {
    if (path !== "productionApproved") add(trustRule(path, rule), path);
  }
  return [...found.values()];
}

/** What the services' own judge says of a draft. */
function mismatchesOf(built: Asked, { asked }: ClientReading, facts: StageKnowledge["facts"]) {
  const { turn, answer, status, bearer, key } = built;
  const { method, target, body } = turn.request;
  const profile = asked.filter((one) => one.operation === "platform" && one.status === 200).at(-1)?.answer;
  const exchange = {
    operation: "build",
    request: {
      method,
      path: target,
      ...(body === undefined ? {} : { body }),
      ...(bearer === undefined ? {} : { bearer }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    },
    envelope: { status, body: answer },
    status,
    body: answer,
    sentAt: turn.serviceMs,
    answeredAt: turn.serviceMs,
    plannedMs: turn.atMs,
  };
  const context = {
    facts: { ...facts, capacity: {} } as const,
    timekeeping: EXACT,
    clockToleranceMs: 0,
    profile,
  };
  return [...responseSchemas().check("build", answer), ...judgeDraft(exchange, context).mismatches];
}

/** By member of the draft; of the transaction, by what the services' rule is about. */
function trustRule(path: string, rule: string): string {
  if (rule === "DRAFT-13") return "CLIENT-TRUST-3";
  return BY_MEMBER[path.split(".")[0] ?? ""] ?? OTHER;
}

const BY_MEMBER: Readonly<Record<string, string>> = {
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
