import type { Facts } from "../../adapters/adapter.ts";
import { Effort, Partition, type PartitionOptions } from "../../engine/audit/partition.ts";
import type { Recorded, RecordedExchange, RecordedRestart } from "../../engine/audit/recorded.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Advice, differencesByRule, type Observation } from "../../engine/play/judgement.ts";
import type { Moment } from "../../engine/search/model.ts";
import { isExecution } from "../execution-path.ts";
import { judgeExchange } from "../judge/judge.ts";
import { KnownDrafts } from "../judge/known-drafts.ts";
import { requestJson } from "../judge/request-json.ts";
import { readBody } from "../model/body-reading.ts";
import type { ServiceInstance } from "../model/state.ts";
import { LIFETIME_MS } from "../operations.ts";
import { Proofs } from "../traffic/proofs.ts";
import { holdsRemoved, isRemoved, MASKED, type ProofSaid, proofSaid } from "../traffic/secret-masks.ts";
import { UNKNOWN_HOST } from "../unknown-host.ts";
import { type Finding, Findings, type NewFinding } from "./findings.ts";
import { Ledger, type NewlyGiven } from "./ledger.ts";
import { isAbout, KEPT_MS, matters, Partitions } from "./partitions.ts";
import { IN_SECONDS, RecordedPlayers } from "./recorded-player.ts";
import { RecordingClock } from "./recording-clock.ts";
import { exchangeOf, type Seen, type SeenExchange } from "./seen.ts";
import { BearerHabit, ExpiredDrafts, SeenCapacity } from "./service-habits.ts";
import { HeldBack, isBesideContract, refusesForHistory, type UnknownPart, Unknowns } from "./unknowns.ts";

/** Options of an audit. */
export interface AuditOptions {
  /** Whether no request to the service is missing. */
  readonly complete: boolean;
  /** Whether each exchange has every header that was sent with it (default: a recorder may have left some out). */
  readonly allHeaders?: boolean;
  /** Facts that are stated. */
  readonly facts: Partial<Facts>;
  /** How far the clocks of the recorders may be apart, or inaccurate, in ms. */
  readonly clockDoubtMs: number;
  /** Called with each finding at once. */
  readonly onFinding?: (finding: Finding) => void;
}

/** Result of an audit. */
export interface AuditOutcome {
  readonly exchanges: number;
  /** Number of exchanges that could be judged at least on their own. */
  readonly judged: number;
  /** By operation. */
  readonly byOperation: Readonly<Record<string, number>>;
  readonly served: ReadonlySet<string>;
  readonly restarts: number;
  readonly findings: readonly Finding[];
  /** Number of findings, including those that are not kept. */
  readonly found: number;
  readonly unknown: readonly UnknownPart[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
  /** Timelines of the creators whom findings are about. */
  readonly timelines: ReadonlyMap<string, readonly Seen[]>;
}

/** Number of exchanges between sweeps of forgettable state. */
const SWEEP = 10_000;
/** Number of drafts that are compared with each other. */
const MOST_COMPARED = 200;

/** Rules about timestamps that the recorder's clock cannot judge, except for their form: it may differ from the service's. */
const OF_CLOCKS = new Set(["CHALLENGE-9", "SESSION-2"]);

/** The open point and rule about the form of bearers, which a mask hides. */
const OF_BEARERS = { point: "BEARER-FORMAT", rule: "SESSION-14" } as const;

/** Parts of a response without which it cannot be judged in its history. */
const OF_OUTCOME = new Set(["status", "code", "envelope", "body"]);

/**
 * Judges recorded traffic: each exchange on its own, and in its history by the contract's model. Anything that a recording
 * does not show may have happened, and is never held against the service.
 */
export class TrafficJudge {
  readonly #options: AuditOptions;
  readonly #facts: Facts;
  readonly #clock: RecordingClock;
  readonly #unknowns = new Unknowns();
  readonly #heldBack: HeldBack;
  readonly #findings: Findings;
  readonly #ledger = new Ledger();
  readonly #expired = new ExpiredDrafts();
  readonly #bearerHabit = new BearerHabit();
  readonly #room: SeenCapacity;
  readonly #players: RecordedPlayers;
  readonly #partitions: Partitions;
  #drafts = new KnownDrafts();
  #draftsCompared = 0;
  #profile: ServiceInstance["profile"];
  #exchanges = 0;
  #judged = 0;
  readonly #byOperation: Record<string, number> = {};
  readonly #served = new Set<string>();
  readonly #observations = new Map<string, Observation>();
  readonly #advice = new Map<string, Advice>();

  constructor(options: AuditOptions) {
    const { complete, clockDoubtMs, allHeaders = false, onFinding } = options;
    const { metadataHosts = [UNKNOWN_HOST, UNKNOWN_HOST], signedBytes = "utf8" } = options.facts;
    const { capacity = {} } = options.facts;
    this.#options = options;
    this.#facts = { ...options.facts, metadataHosts, signedBytes, capacity };
    this.#clock = new RecordingClock(clockDoubtMs, complete);
    this.#heldBack = new HeldBack(allHeaders);
    this.#room = new SeenCapacity(capacity, complete);
    this.#players = new RecordedPlayers({
      facts: this.#facts,
      clock: this.#clock,
      clockDoubtMs,
      proofs: new Proofs(options.facts.signedBytes),
      bearerHabit: this.#bearerHabit,
      profile: () => this.#profile,
    });
    const effort = new Effort();
    this.#partitions = new Partitions({
      complete,
      creatorOfId: (id) => this.#ledger.challenge(id)?.creator,
      creatorOfBearer: (bearer) => this.#ledger.session(bearer)?.creator,
      newPartition: (whole) => new Partition<Seen>(this.#partitionOptions(effort), whole),
    });
    this.#findings = new Findings({
      nameOf: (request) => this.#partitions.nameOf(request),
      historyOf: (name) => this.#partitions.historyOf(name),
      onFinding,
    });
  }

  /** Takes an item that began no earlier than those before it. */
  take(item: Recorded): void {
    this.#clock.begin(item);
    this.settle(item.startedMs);
    if (item.kind === "restart") this.#restart(item);
    else this.#takeExchange(item);
  }

  /** Judges the exchanges that ended before a moment, once no further one can have begun before it. */
  settle(nowMs: number): void {
    this.#partitions.settle(nowMs - this.#options.clockDoubtMs);
  }

  /** Ends the recording, and returns the result. */
  end(): AuditOutcome {
    this.#partitions.settle(Number.POSITIVE_INFINITY);
    const { findings, builds, unjudged } = this.#heldBack.end();
    for (const finding of findings) this.#findings.add(finding);
    for (const build of builds) this.#judgeByModel(build);
    if (unjudged > 0) this.#unknowns.count("noCredentials", unjudged);
    return {
      exchanges: this.#exchanges,
      judged: this.#judged,
      byOperation: this.#byOperation,
      served: this.#served,
      restarts: this.#partitions.restarts,
      ...this.#findings.told(),
      unknown: this.#unknowns.told(),
      observations: [...this.#observations.values()],
      advice: [...this.#advice.values()],
    };
  }

  #restart(item: RecordedRestart): void {
    this.#partitions.restarted({ kind: "restart", ...this.#clock.placed(item) });
    this.#room.restarted();
    this.#bearerHabit.restarted();
    const service = this.#clock.restart(item);
    if (service === "same") return;
    this.#partitions.forgetService(service === "maybe another");
    this.#ledger.clear();
    this.#expired.clear();
  }

  #takeExchange(item: RecordedExchange): void {
    this.#exchanges += 1;
    if (this.#exchanges % SWEEP === 0) this.#sweep();
    this.#heldBack.note(item);
    const told = proofSaid(item);
    const exchange = exchangeOf(item, told);
    if (exchange === undefined) {
      this.#unknowns.count("noAnswer");
      this.#partitions.lose(item.request);
      return;
    }
    if (isBesideContract(exchange)) {
      this.#unknowns.count("beside");
      return;
    }
    this.#clock.see(item);
    const seen = this.#seen(item, exchange, told);
    const { operation } = exchange;
    this.#byOperation[operation] = (this.#byOperation[operation] ?? 0) + 1;
    if (isPartLost(item)) {
      this.#unknowns.count("bodyLost");
      this.#partitions.lose(item.request);
      return;
    }
    this.#judged += 1;
    this.#judge(seen, this.#clock.isLate(item), item.clockMs !== undefined);
  }

  #seen(item: RecordedExchange, exchange: Exchange, told: ProofSaid): SeenExchange {
    const placed = this.#clock.placed(item);
    const base = {
      kind: "exchange" as const,
      ...placed,
      exchange,
      told,
      caller: item.credentials,
      room: this.#room.at(exchange, placed.endsMs),
      draftAgeMs: 0,
    };
    const isDraft = exchange.operation === "build" && exchange.status === 200;
    return isDraft ? { ...base, draftAgeMs: this.#expired.ageMs(base) } : base;
  }

  #judge(seen: SeenExchange, isLate: boolean, byServiceClock: boolean): void {
    const { operation, request } = seen.exchange;
    const isSound = this.#judgeAlone(seen, byServiceClock);
    this.#note(seen);
    if (isLate) this.#unknowns.count("late");
    if (!isSound || isLate || this.#isOutside(seen)) this.#partitions.miss(request);
    else if (operation !== "platform" && operation !== "other") this.#judgeInHistory(seen);
    else this.#judgeByModel(seen);
  }

  /** Judges an exchange on its own. @returns whether its status and code can be judged in its history */
  #judgeAlone(seen: SeenExchange, byServiceClock: boolean): boolean {
    const { exchange } = seen;
    const { operation, status, body } = exchange;
    if (operation === "build" && status === 200) this.#compareFewer();
    const judgement = judgeExchange(exchange, {
      facts: this.#facts,
      timekeeping: IN_SECONDS,
      clockToleranceMs: byServiceClock ? 0 : this.#options.clockDoubtMs,
      profile: this.#profile,
      overHttp: true,
      creatorOf: (bearer) => this.#ledger.session(bearer)?.creator,
      drafts: this.#drafts,
    });
    const isMasked = String(body["bearer"]).startsWith(MASKED);
    for (const one of judgement.observations)
      if (!isMasked || one.point !== OF_BEARERS.point)
        this.#observations.set(`${one.point} ${one.reading}`, one);
    for (const one of judgement.advice)
      if (!isMasked || one.rule !== OF_BEARERS.rule) this.#advice.set(`${one.rule} ${one.message}`, one);
    if (operation === "platform" && status === 200) this.#profile ??= body;
    if (status === 200) this.#served.add(operation);
    const mismatches = judgement.mismatches.filter(
      ({ rule, got }) => byServiceClock || !OF_CLOCKS.has(rule) || !/\d/.test(got),
    );
    for (const [rule, differences] of differencesByRule(mismatches)) {
      const expected = differences.map(({ path, expected: wanted }) => `${path}: ${wanted}`).join("; ");
      const got = differences.map(({ path, got: came }) => `${path}: ${came}`).join("; ");
      this.#findings.add({
        rules: [rule],
        expected,
        got,
        differences,
        seen,
        because: [seen],
        byAbsence: false,
      });
    }
    return !mismatches.some(({ path }) => OF_OUTCOME.has(path));
  }

  /** Each draft is compared with those before it, and there may be a million. */
  #compareFewer(): void {
    this.#draftsCompared += 1;
    if (this.#draftsCompared % MOST_COMPARED === 0) this.#drafts = new KnownDrafts();
  }

  /** Notes what a response gives out, and counts what is stored. */
  #note(seen: SeenExchange): void {
    const { operation, request, body, status } = seen.exchange;
    this.#room.note(seen.exchange, seen.beginsMs, seen.room);
    if (status !== 200) return;
    this.#expired.learnClock(seen);
    const newly = this.#ledger.take(seen);
    if (newly?.contradiction !== undefined)
      this.#findings.add({ ...newly.contradiction, seen, byAbsence: false });
    if (operation === "challenge") this.#noteChallenge(String(body["id"]), newly, request);
    else if (operation === "verify") this.#noteSession(String(body["bearer"]), newly, seen);
    else if (operation === "build") {
      const session = this.#ledger.session(request.bearer);
      if (session !== undefined) this.#bearerHabit.served(session.seen, seen);
      const found = this.#expired.judge(
        seen,
        this.#clock.isServices ? undefined : this.#options.clockDoubtMs,
      );
      if (found !== undefined) this.#findings.add({ ...found, seen, byAbsence: false });
    }
  }

  #noteChallenge(id: string, newly: NewlyGiven | undefined, request: Exchange["request"]): void {
    this.#partitions.issued(id, request);
    if (newly !== undefined && newly.given.creator === undefined) this.#partitions.issuedToNobody(newly.name);
  }

  #noteSession(bearer: string, newly: NewlyGiven | undefined, seen: SeenExchange): void {
    this.#partitions.given(bearer);
    const { creator } = newly?.given ?? {};
    const earlier = newly?.earlier;
    const isOthers = earlier?.creator !== undefined && earlier.creator !== creator;
    this.#bearerHabit.opened(creator, seen, earlier !== undefined && !isOthers);
  }

  /** Whether an exchange says nothing about history: its body is ambiguous, or its sender unknown. */
  #isOutside(seen: SeenExchange): boolean {
    const { operation, request, status } = seen.exchange;
    if (operation === "platform") return false;
    if (operation === "other") return status === 200 && !isExecution(request);
    if (readBody(request.body).ambiguous) return true;
    if (operation !== "build") return false;
    const isOdd = seen.caller === "odd" || isRemoved(request.bearer) || isRemoved(request.idempotencyKey);
    if (isOdd) this.#unknowns.count("oddCredentials");
    return isOdd || this.#heldBack.takeBuild(seen);
  }

  /** Judges an exchange that depends on no history. */
  #judgeByModel(seen: SeenExchange): void {
    const contradiction = this.#players.contradiction(seen);
    if (contradiction !== undefined)
      this.#findUnlessExplained({ ...contradiction, seen, because: [seen], byAbsence: false });
  }

  #judgeInHistory(seen: SeenExchange): void {
    const { request, operation } = seen.exchange;
    const partition = this.#partitions.of(request);
    const { bearer } = request;
    const given = this.#ledger.session(bearer);
    if (given !== undefined && given.creator === undefined) partition.miss();
    if (given === undefined && bearer !== undefined && operation === "build")
      this.#partitions.usedUnseen(bearer, partition, seen.endsMs);
    this.#countUnknown(seen, partition);
    this.#partitions.add(partition, seen);
  }

  #countUnknown({ exchange, told, moment }: SeenExchange, partition: Partition<Seen>): void {
    const { operation, request, status } = exchange;
    const count = this.#unknowns;
    if (told === "unknown") count.count("proof");
    if (operation === "build" && this.#facts.metadataHosts.includes(UNKNOWN_HOST)) count.count("hosts");
    if (operation === "build" && this.#facts.operatorKey === undefined) count.count("operator");
    if (partition.whole) return;
    const id = requestJson(request)?.["id"];
    if (operation === "verify" && this.#ledger.challenge(id) === undefined) count.count("challenge");
    if (operation === "build") {
      const session = this.#ledger.session(request.bearer)?.seen;
      if (session === undefined) count.count("session");
      else if (status === 200 && this.#mayBeAnother(session, moment)) count.count("sameBearer");
    }
    if (operation === "build" && status === 200) count.count("counted");
    if (refusesForHistory(exchange)) count.count("refused");
  }

  /** Whether a bearer is accepted after its session has ended, and may belong to a later session. */
  #mayBeAnother(session: SeenExchange, { earliest }: Moment): boolean {
    const isFormer = (this.#partitions.lastRestart?.beginsMs ?? Number.NEGATIVE_INFINITY) > session.endsMs;
    if (isFormer) return this.#bearerHabit.mayOutliveRestart;
    return earliest - session.moment.latest > LIFETIME_MS.session && this.#bearerHabit.mayRecur;
  }

  #partitionOptions(effort: Effort): PartitionOptions<Seen> {
    return {
      effort,
      newPlayer: (whole) => this.#players.newPlayer(whole),
      matters,
      isAbout,
      found: ({ event, ...finding }) => {
        if (event.kind === "exchange") this.#findUnlessExplained({ ...finding, seen: event });
      },
      unclear: (events) => this.#unknowns.count("together", events.length),
    };
  }

  /** Adds a finding, at once or when it is known which headers the recording has. */
  #findUnlessExplained(finding: NewFinding): void {
    if (!this.#heldBack.takeFinding(finding)) this.#findings.add(finding);
  }

  /** Forgets what can no longer matter. */
  #sweep(): void {
    const nowMs = this.#clock.latestMs;
    for (const known of [this.#ledger, this.#bearerHabit, this.#expired]) known.forget(nowMs - KEPT_MS);
    this.#partitions.sweep(nowMs);
  }
}

/** Whether a part of a request or its response was not recorded, or was removed. */
function isPartLost({ request, requestLost, response }: RecordedExchange): boolean {
  const isTakenOut = holdsRemoved(request.body) || holdsRemoved(response?.body);
  return requestLost === true || response?.body === undefined || isTakenOut;
}
