import type { Advice, Observation } from "../../../engine/play/judgement.ts";
import { EXACT } from "../../../engine/play/timekeeping.ts";
import { judgeDraft } from "../../judge/draft.ts";
import { responseSchemas } from "../../judge/response-schemas.ts";
import { LIFETIME_MS, OUTCOMES } from "../../operations.ts";
import { type Asked, type ClientReading, gotAnswer, type Launch, leftAlone } from "./client-reading.ts";
import { requestsOf } from "./found.ts";
import { isIdempotencyKey } from "./requests.ts";
import { sameInput } from "./retries.ts";
import type { StageKnowledge } from "./stage-knowledge.ts";
import { mayBeRefused } from "./unhindered.ts";

/** Observes the readings of the clients' open points, each once. */
export function observeClient(reading: ClientReading, knowledge: StageKnowledge): readonly Observation[] {
  const seen = reading.launches.flatMap((launch, index) => {
    const own = requestsOf(launch, reading);
    // A launch without a result, or that cannot be told from others, shows nothing.
    if (launch.result === undefined || own.some(({ launches }) => launches.length > 1)) return [];
    const before = reading.launches
      .slice(0, index)
      .filter(({ record }) => record.toTurn <= launch.record.fromTurn);
    return [
      ...firstOfEach(own.flatMap((one, at) => afterwards(one, own.slice(at + 1)))),
      ...observeReuse(launch, own, before, reading),
      ...observeKeys(launch, own, before, reading),
      ...observeInput(launch, own, reading, knowledge),
      ...observeTrust(launch, reading, knowledge),
    ];
  });
  const distinct = new Map(seen.map((one) => [`${one.point} ${one.reading}`, one]));
  return [...distinct.values()];
}

/** The first observation of each point: in the end every client gives up. */
function firstOfEach(seen: readonly Observation[]): readonly Observation[] {
  return seen.filter(({ point }, index) => seen.findIndex((one) => one.point === point) === index);
}

/** Observes the reaction to a response: the first later request that has to do with it. */
function afterwards(asked: Asked, later: readonly Asked[]): readonly Observation[] {
  const next = (...operations: readonly string[]) =>
    later.find(({ operation }) => operations.includes(operation));
  const again = next(asked.operation);
  const see = (point: string, reading: string) => [{ point, reading }];
  if (asked.status === 429) return see("CLIENT-AFTER-429", again === undefined ? "gives-up" : "asks-again");
  if (asked.status === 400) return see("CLIENT-AFTER-400", again === undefined ? "gives-up" : "changed");
  switch (asked.operation) {
    case "platform":
    case "challenge":
      if (!leftAlone(asked)) return [];
      return see("CLIENT-LOST-START", again === undefined ? "gives-up" : "asks-again");
    case "verify": {
      const then = next("challenge", "verify");
      const fresh = then === undefined ? "gives-up" : "new-challenge";
      if (asked.status === 401) return see("CLIENT-AFTER-401-VERIFY", fresh);
      if (!leftAlone(asked)) return [];
      return see("CLIENT-LOST-VERIFY", then?.operation === "verify" ? "same-proof" : fresh);
    }
    case "build": {
      const underKey = again?.key === asked.key ? "same-key" : "new-key";
      const reading = again === undefined ? "gives-up" : underKey;
      if (asked.status === 401)
        return see(
          "CLIENT-AFTER-401-BUILD",
          next("challenge", "build") === undefined ? "gives-up" : "new-session",
        );
      if (gotAnswer(asked, OUTCOMES.rebuild))
        return see("CLIENT-AFTER-REBUILD", again === undefined ? reading : "new-key");
      if (gotAnswer(asked, OUTCOMES.conflict)) return see("CLIENT-AFTER-CONFLICT", reading);
      return leftAlone(asked) ? see("CLIENT-AFTER-LOST-BUILD", reading) : [];
    }
    default:
      return [];
  }
}

/** Observes whether a launch reuses the profile and session of an earlier one. */
function observeReuse(
  launch: Launch,
  own: readonly Asked[],
  before: readonly Launch[],
  reading: ClientReading,
): readonly Observation[] {
  const builds = own.filter(({ operation }) => operation === "build");
  const [first] = own;
  const [build] = builds;
  if (first === undefined || before.length === 0) return [];
  const found: Observation[] = [];
  const asksProfile = own.some(({ operation }) => operation === "platform");
  const toldProfile = reading.asked.some(
    ({ operation, status, turn }) =>
      operation === "platform" && status === 200 && turn.index < launch.record.fromTurn,
  );
  if (toldProfile)
    found.push({ point: "CLIENT-PROFILE-REUSE", reading: asksProfile ? "again" : "remembered" });
  const alive = [...reading.sessions.values()].some(
    ({ creator, by }) =>
      creator === launch.creator &&
      by.turn.index < launch.record.fromTurn &&
      first.turn.serviceMs - by.turn.serviceMs < LIFETIME_MS.session,
  );
  if (!alive || build === undefined) return found;
  const session = reading.sessions.get(build.bearer ?? "");
  if (session !== undefined) {
    const isReused = session.by.turn.index < launch.record.fromTurn;
    found.push({ point: "CLIENT-SESSION-REUSE", reading: isReused ? "reused" : "another" });
  }
  return found;
}

function observeKeys(
  launch: Launch,
  own: readonly Asked[],
  before: readonly Launch[],
  reading: ClientReading,
): readonly Observation[] {
  const build = own.find(({ operation }) => operation === "build");
  const found: Observation[] = [];
  if (build?.key !== undefined && isIdempotencyKey(build.key))
    found.push({ point: "CLIENT-KEY-FORM", reading: keyForm(build.key) });
  const earlier = before
    .filter(({ record }) => record.task["id"] === launch.record.task["id"])
    .flatMap((one) => requestsOf(one, reading))
    .filter(({ operation }) => operation === "build");
  const [first] = earlier;
  if (first === undefined) return found;
  if (build === undefined) return [...found, { point: "CLIENT-KEY-OF-LAUNCH", reading: "no-build" }];
  if (!sameInput(first, build)) return found;
  const isSame = earlier.some(({ key }) => key === build.key);
  return [...found, { point: "CLIENT-KEY-OF-LAUNCH", reading: isSame ? "same-key" : "new-key" }];
}

function keyForm(key: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(key)) return "uuid";
  if (/^[0-9a-f]+$/i.test(key)) return "hex";
  return key.length >= 22 && /[a-z]/.test(key) && /[A-Z]/.test(key) ? "base64url" : "other";
}

function observeInput(
  launch: Launch,
  own: readonly Asked[],
  reading: ClientReading,
  knowledge: StageKnowledge,
): readonly Observation[] {
  if (!mayBeRefused(launch, reading, knowledge)) return [];
  const asks = own.some(({ operation }) => operation === "build");
  // A launch that ended for another reason shows nothing about the input.
  const isServed = own.every(({ status }) => status === 200);
  if (!asks && (launch.result?.kind !== "refused" || !isServed)) return [];
  return [{ point: "CLIENT-INVALID-INPUT", reading: asks ? "asked" : "refused-unasked" }];
}

function observeTrust(
  launch: Launch,
  reading: ClientReading,
  knowledge: StageKnowledge,
): readonly Observation[] {
  if (departuresIn(launch, reading, knowledge).length === 0) return [];
  switch (launch.result?.kind) {
    case "draft":
      return [{ point: "CLIENT-TRUST", reading: "believed" }];
    case "distrusted":
      return [{ point: "CLIENT-TRUST", reading: "distrusted" }];
    default:
      return [{ point: "CLIENT-TRUST", reading: "gives-up" }];
  }
}

/** A statement in a response that contradicts the contract. */
interface Departure {
  /** The rule that recommends not to believe it. */
  readonly rule: string;
  /** The member of the answer. */
  readonly path: string;
}

/** Warns of drafts that a client accepted although responses contradict the contract. */
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

/** All contradictions to the contract in the responses of a launch, up to its last draft. */
function departuresIn(
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

/** The mismatches that the judge of services finds in a draft. */
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

/** The rule by the member of the draft, or by the services' rule about the transaction. */
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
