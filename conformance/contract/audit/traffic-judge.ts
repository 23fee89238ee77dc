import type { Facts } from "../../adapters/adapter.ts";
import { AnyOf, Effort, Lane, type LaneFinding, type Player } from "../../engine/audit/lane.ts";
import type { Recorded, RecordedExchange, RecordedRestart } from "../../engine/audit/recorded.ts";
import { type Advice, differencesByRule, type Observation } from "../../engine/play/judgement.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import { instant, type Moment } from "../../engine/search/model.ts";
import { isExecution } from "../execution-path.ts";
import { judgeExchange } from "../judge/judge.ts";
import { KnownDrafts } from "../judge/known-drafts.ts";
import { requestJson } from "../judge/request-json.ts";
import { readBody } from "../model/body-reading.ts";
import { ONCE } from "../model/moment.ts";
import type { ServiceInstance } from "../model/state.ts";
import { isAnswered, LIFETIME_MS, OUTCOMES } from "../operations.ts";
import { Proofs } from "../traffic/proofs.ts";
import { holdsRemoved, isRemoved, MASKED, proofSaid } from "../traffic/secret-masks.ts";
import { UNKNOWN_HOST } from "../unknown-host.ts";
import { BearerHabit } from "./bearer-habit.ts";
import { ExpiredDrafts } from "./expired-drafts.ts";
import type { Finding } from "./findings.ts";
import { Timelines } from "./findings.ts";
import { Known } from "./known.ts";
import { IN_MILLISECONDS, IN_SECONDS, RecordedPlayer } from "./recorded-player.ts";
import { exchangeOf, type Seen, type SeenExchange } from "./seen.ts";
import { SeenRoom } from "./seen-room.ts";
import { isAbout, KEPT_MS, matters, Strands } from "./strands.ts";
import {
  isBesideContract,
  type Lacks,
  refusesForHistory,
  ToldHeaders,
  type UnknownPart,
  Unknowns,
} from "./unknowns.ts";

/** What is said of a recording besides what it holds. */
export interface AuditOptions {
  /** Whether nothing is missing of what the service was asked. */
  readonly complete: boolean;
  /** Whether each exchange has every header that was sent with it; otherwise some may have been left out of a recording. */
  readonly allHeaders?: boolean;
  /** As far as they are stated. */
  readonly facts: Partial<Facts>;
  /** How far the clocks of those who recorded may be apart, from each other and from themselves; in ms. */
  readonly clockDoubtMs: number;
  /** Told of each finding at once. */
  readonly onFinding?: (finding: Finding) => void;
}

/** What a recording came to. */
export interface AuditOutcome {
  readonly exchanges: number;
  /** How many of them could be judged at least by themselves. */
  readonly judged: number;
  /** By operation. */
  readonly byOperation: Readonly<Record<string, number>>;
  readonly served: ReadonlySet<string>;
  readonly restarts: number;
  readonly findings: readonly Finding[];
  /** How many findings there were: no more are kept than can be read. */
  readonly found: number;
  readonly unknown: readonly UnknownPart[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
  /** What was seen of each creator whom a finding is about. */
  readonly timelines: ReadonlyMap<string, readonly Seen[]>;
}

/** Findings that are kept. */
const MOST_FINDINGS = 1_000;
/** After so many exchanges it is looked what can be forgotten. */
const SWEEP = 10_000;
/** Drafts that are compared with each other. */
const MOST_COMPARED = 200;

/** What recorders round moments to. */
const ROUNDED_MS = 1;

/** What the recorder's clock says of the service's moments is not judged, but that they are some: the two may differ. */
const OF_CLOCKS = new Set(["CHALLENGE-9", "SESSION-2"]);

/** What is said of the form of bearers, which a mask does not show. */
const OF_BEARERS = { point: "BEARER-FORMAT", rule: "SESSION-14" } as const;

/** A session or a challenge that was given: to whom, and in which exchange. */
interface Given {
  readonly creator: string | undefined;
  readonly seen: SeenExchange;
}

/**
 * Judges traffic that was recorded: each exchange by itself, and in its history by the contract's model. What a recording
 * does not show may have been, and is never held against the service.
 */
export class TrafficJudge {
  readonly #options: AuditOptions;
  readonly #facts: Facts;
  readonly #proofs: Proofs;
  readonly #unknowns = new Unknowns();
  readonly #expired = new ExpiredDrafts();
  readonly #effort = new Effort();
  readonly #ids = new Known<Given>();
  readonly #bearers = new Known<Given>();
  readonly #bearerHabit = new BearerHabit();
  readonly #strands: Strands;
  #drafts = new KnownDrafts();
  #draftsCompared = 0;
  #profile: ServiceInstance["profile"];
  #started: Moment | undefined;
  /** Whether the service's own clock is known of all that was seen. */
  #byServiceClock = true;
  /** When the last of what was seen may have ended. */
  #latestEndMs = Number.NEGATIVE_INFINITY;
  /** What the service's own clock showed last, where it is known. */
  #latestClockMs = Number.NEGATIVE_INFINITY;
  readonly #room: SeenRoom;
  readonly #toldHeaders: ToldHeaders;
  /** Builds that lack a header of which their recording has not told by then, and how many are not kept. */
  #bare: { readonly seen: SeenExchange; readonly lacks: Lacks }[] = [];
  #bareCount = 0;
  /** Findings that a header explains of which their recording has not told by then. */
  #unsure: Omit<Finding, "creator">[] = [];
  #latestMs = Number.NEGATIVE_INFINITY;
  #exchanges = 0;
  #judged = 0;
  readonly #byOperation: Record<string, number> = {};
  readonly #served = new Set<string>();
  readonly #findings: Finding[] = [];
  readonly #timelines = new Timelines();
  #found = 0;
  readonly #observations = new Map<string, Observation>();
  readonly #advice = new Map<string, Advice>();

  constructor(options: AuditOptions) {
    this.#options = options;
    const {
      metadataHosts = [UNKNOWN_HOST, UNKNOWN_HOST],
      signedBytes = "utf8",
      capacity = {},
    } = options.facts;
    this.#facts = { ...options.facts, metadataHosts, signedBytes, capacity };
    this.#toldHeaders = new ToldHeaders(options.allHeaders === true);
    this.#proofs = new Proofs(options.facts.signedBytes);
    this.#room = new SeenRoom(capacity, options.complete);
    this.#strands = new Strands({
      complete: options.complete,
      creatorOfId: (id) => this.#ids.get(id)?.creator,
      creatorOfBearer: (bearer) => this.#bearers.get(bearer)?.creator,
      newLane: (whole) => this.#newLane(whole),
    });
  }

  /** Takes in what began no earlier than what came before. */
  take(item: Recorded): void {
    this.#started ??= item.clockMs === undefined ? ONCE : instant(item.clockMs);
    this.settle(item.startedMs);
    if (item.kind === "restart") this.#restart(item);
    else this.#takeExchange(item);
  }

  /** Judges what ended before a moment, where nothing that began before it is still to come. */
  settle(nowMs: number): void {
    this.#strands.settle(nowMs - this.#options.clockDoubtMs);
  }

  /** What all came to, once there is no more. */
  end(): AuditOutcome {
    this.#strands.settle(Number.POSITIVE_INFINITY);
    this.#endBare();
    return {
      exchanges: this.#exchanges,
      judged: this.#judged,
      byOperation: this.#byOperation,
      served: this.#served,
      restarts: this.#strands.restarts,
      findings: this.#findings,
      found: this.#found,
      unknown: this.#unknowns.told(),
      observations: [...this.#observations.values()],
      advice: [...this.#advice.values()],
      timelines: this.#timelines.told(),
    };
  }

  #restart(item: RecordedRestart): void {
    const { source, startedMs, endedMs = startedMs, clockMs } = item;
    const { clockDoubtMs } = this.#options;
    const moment = this.#momentOf(startedMs, endedMs, clockMs);
    const spans = { beginsMs: startedMs - clockDoubtMs, endsMs: endedMs + clockDoubtMs };
    this.#strands.restarted({ kind: "restart", source, moment, ...spans });
    this.#room.restarted();
    this.#bearerHabit.restarted();
    this.#started = moment;
    // By other clocks than the service's own, what was in flight at a restart ended after it.
    if (clockMs === undefined) return;
    const isBefore = startedMs < this.#latestMs - clockDoubtMs;
    // It may be the same service, which served after it what was in flight.
    const mayBeSame = !isBefore && this.#latestEndMs > spans.beginsMs + ROUNDED_MS;
    const isSetBack = clockMs < this.#latestClockMs;
    if (isSetBack || (isBefore && clockMs === this.#latestClockMs)) this.#forgetService(mayBeSame);
    this.#latestClockMs = clockMs;
  }

  /** A clock that was set back is that of a service which has nothing to do with the former. */
  #forgetService(mayBeSame: boolean): void {
    this.#strands.forgetService(mayBeSame);
    this.#ids.clear();
    this.#bearers.clear();
    this.#bearerHabit.restarted();
    this.#expired.clear();
    this.#latestMs = Number.NEGATIVE_INFINITY;
    this.#latestEndMs = Number.NEGATIVE_INFINITY;
  }

  #momentOf(startedMs: number, endedMs: number, clockMs: number | undefined): Moment {
    return clockMs === undefined ? { earliest: startedMs, latest: endedMs } : instant(clockMs);
  }

  #takeExchange(item: RecordedExchange): void {
    this.#exchanges += 1;
    if (this.#exchanges % SWEEP === 0) this.#sweep();
    const { request, response, requestLost } = item;
    this.#toldHeaders.note(item);
    const told = proofSaid(item);
    const exchange = response === undefined ? undefined : exchangeOf(item, response, told);
    if (exchange === undefined) {
      this.#unknowns.count("noAnswer");
      this.#strands.lose(request);
      return;
    }
    if (isBesideContract(exchange)) {
      this.#unknowns.count("beside");
      return;
    }
    const { startedMs, endedMs, clockMs, source } = item;
    const { clockDoubtMs } = this.#options;
    const moment = this.#momentOf(startedMs, endedMs, clockMs);
    this.#latestClockMs = Math.max(this.#latestClockMs, clockMs ?? Number.NEGATIVE_INFINITY);
    this.#latestEndMs = Math.max(this.#latestEndMs, endedMs + clockDoubtMs);
    this.#byServiceClock &&= clockMs !== undefined;
    const base = {
      kind: "exchange" as const,
      source,
      beginsMs: startedMs - clockDoubtMs,
      endsMs: endedMs + clockDoubtMs,
      moment,
      exchange,
      told,
      caller: item.credentials,
      room: this.#room.at(exchange, endedMs + clockDoubtMs),
      draftAgeMs: 0,
    };
    const { operation } = exchange;
    const isDraft = operation === "build" && exchange.status === 200;
    const seen: SeenExchange = isDraft ? { ...base, draftAgeMs: this.#expired.ageMs(base) } : base;
    this.#byOperation[operation] = (this.#byOperation[operation] ?? 0) + 1;
    const isTakenOut = holdsRemoved(request.body) || holdsRemoved(response?.body);
    if (requestLost || response?.body === undefined || isTakenOut) {
      this.#unknowns.count("bodyLost");
      this.#strands.lose(request);
      return;
    }
    this.#judged += 1;
    const isLate = startedMs < this.#latestMs - clockDoubtMs;
    this.#latestMs = Math.max(this.#latestMs, startedMs);
    const sound = this.#judgeAlone(seen, clockMs !== undefined);
    this.#note(seen);
    if (isLate) this.#unknowns.count("late");
    if (!sound || isLate || this.#isOutside(seen, item)) this.#strands.miss(request);
    else if (operation !== "platform" && operation !== "other") this.#judgeInHistory(seen);
    else this.#judgeByModel(seen);
  }

  /** Judges an exchange by itself. @returns whether its status and code are such as the service's */
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
      creatorOf: (bearer) => this.#bearers.get(bearer ?? "")?.creator,
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
      const [first] = differences;
      if (first === undefined) continue;
      const expected = differences.map(({ path, expected: wanted }) => `${path}: ${wanted}`).join("; ");
      const got = differences.map(({ path, got: came }) => `${path}: ${came}`).join("; ");
      this.#find({ rules: [rule], expected, got, differences, seen, because: [seen], byAbsence: false });
    }
    const ofOutcome = new Set(["status", "code", "envelope", "body"]);
    return !mismatches.some(({ path }) => ofOutcome.has(path));
  }

  /** Each draft is compared with those before it, and there may be a million. */
  #compareFewer(): void {
    this.#draftsCompared += 1;
    if (this.#draftsCompared % MOST_COMPARED === 0) this.#drafts = new KnownDrafts();
  }

  /** Takes note of what an answer gives out, and counts what is stored. */
  #note(seen: SeenExchange): void {
    const { operation, request, body, status } = seen.exchange;
    this.#room.note(seen.exchange, seen.beginsMs, seen.room);
    if (status !== 200) return;
    this.#expired.learnClock(seen);
    const asked = requestJson(request);
    if (operation === "challenge") {
      this.#strands.issued(String(body["id"]), request);
      this.#give(this.#ids, body["id"], { creator: textIn(asked?.["creator"]), seen }, "CHALLENGE-2");
    } else if (operation === "verify") {
      const { creator } = this.#ids.get(String(asked?.["id"])) ?? {};
      const bearer = String(body["bearer"]);
      const earlier = this.#bearers.get(bearer);
      this.#strands.given(bearer);
      this.#give(this.#bearers, body["bearer"], { creator, seen }, "SESSION-4");
      const isOthers = earlier?.creator !== undefined && earlier.creator !== creator;
      this.#bearerHabit.opened(creator, seen, earlier !== undefined && !isOthers);
    } else if (operation === "build") {
      const session = this.#bearers.get(request.bearer ?? "");
      if (session !== undefined) this.#bearerHabit.served(session.seen, seen);
      const found = this.#expired.judge(seen, this.#byServiceClock ? undefined : this.#options.clockDoubtMs);
      if (found !== undefined) this.#find({ ...found, seen, byAbsence: false });
    }
  }

  /** Notes an id or a bearer; none is given to two. */
  #give(known: Known<Given>, name: unknown, given: Given, rule: string): void {
    if (typeof name !== "string") return;
    const earlier = known.get(name);
    const isOthers = earlier?.creator !== given.creator && earlier?.creator !== undefined;
    if (earlier !== undefined && isOthers && given.creator !== undefined) {
      const path = rule === "SESSION-4" ? "bearer" : "id";
      const [expected, got] = ["one that was given to nobody else", "one that another creator was given"];
      const because = [earlier.seen, given.seen];
      const differences = [{ path, expected, got }];
      this.#find({ rules: [rule], expected, got, differences, seen: given.seen, because, byAbsence: false });
    }
    known.set(name, given, given.seen.endsMs);
    if (given.creator === undefined && known === this.#ids) this.#strands.issuedToNobody(name);
  }

  /** What says nothing of history: a body that readers take in two ways, or a caller whom the recording does not tell. */
  #isOutside(seen: SeenExchange, { credentials }: RecordedExchange): boolean {
    const { operation, request, status } = seen.exchange;
    if (operation === "platform") return false;
    if (operation === "other") return status === 200 && !isExecution(request);
    if (readBody(request.body).ambiguous) return true;
    if (operation !== "build") return false;
    const isOdd = credentials === "odd" || isRemoved(request.bearer) || isRemoved(request.idempotencyKey);
    if (isOdd) {
      this.#unknowns.count("oddCredentials");
      return true;
    }
    const lacks = { caller: credentials === "none", key: request.idempotencyKey === undefined };
    if (!this.#toldHeaders.mayLack(seen.source.file, lacks)) return false;
    const isRefused = lacks.caller && isAnswered(OUTCOMES.unauthorized, seen.exchange);
    if (isRefused || this.#bare.length >= MOST_FINDINGS) this.#bareCount += 1;
    else this.#bare.push({ seen, lacks });
    return true;
  }

  /** Judges what lacks a header, where its recording turned out to tell of it. */
  #endBare(): void {
    for (const finding of this.#unsure) {
      if (this.#toldHeaders.mayExplain(finding.seen)) this.#bareCount += 1;
      else this.#find(finding);
    }
    for (const { seen, lacks } of this.#bare) {
      if (this.#toldHeaders.mayLack(seen.source.file, lacks)) this.#bareCount += 1;
      else this.#judgeByModel(seen);
    }
    if (this.#bareCount > 0) this.#unknowns.count("noCredentials", this.#bareCount);
  }

  /** Judges what hangs on no history. */
  #judgeByModel(seen: SeenExchange): void {
    const player = new RecordedPlayer(this.#playerContext(IN_SECONDS), false);
    const contradiction = player.play(seen);
    if (contradiction !== undefined)
      this.#findUnlessExplained({ ...contradiction, seen, because: [seen], byAbsence: false });
  }

  #judgeInHistory(seen: SeenExchange): void {
    const { request } = seen.exchange;
    const lane = this.#strands.of(request);
    const { bearer } = request;
    const given = this.#bearers.get(bearer ?? "");
    if (given !== undefined && given.creator === undefined) lane.miss();
    if (given === undefined && bearer !== undefined && seen.exchange.operation === "build")
      this.#strands.usedUnseen(bearer, lane, seen.endsMs);
    this.#countUnknown(seen, lane);
    this.#strands.add(lane, seen);
  }

  #countUnknown({ exchange, told, moment }: SeenExchange, lane: Lane<Seen>): void {
    const { operation, request, status } = exchange;
    const count = this.#unknowns;
    if (told === "unknown") count.count("proof");
    if (operation === "build" && this.#facts.metadataHosts.includes(UNKNOWN_HOST)) count.count("hosts");
    if (operation === "build" && this.#facts.operatorKey === undefined) count.count("operator");
    if (lane.whole) return;
    const id = requestJson(request)?.["id"];
    if (operation === "verify" && this.#ids.get(String(id)) === undefined) count.count("challenge");
    if (operation === "build") {
      const session = this.#bearers.get(request.bearer ?? "")?.seen;
      if (session === undefined) count.count("session");
      else if (status === 200 && this.#mayBeAnother(session, moment)) count.count("sameBearer");
    }
    if (operation === "build" && status === 200) count.count("counted");
    if (refusesForHistory(exchange)) count.count("refused");
  }

  /** Whether a bearer serves when the session is over that it was given with, and may be that of a later one. */
  #mayBeAnother(session: SeenExchange, { earliest }: Moment): boolean {
    const isFormer = (this.#strands.lastRestart?.beginsMs ?? Number.NEGATIVE_INFINITY) > session.endsMs;
    if (isFormer) return this.#bearerHabit.mayOutliveRestart;
    return earliest - session.moment.latest > LIFETIME_MS.session && this.#bearerHabit.mayRecur;
  }

  #newLane(whole: boolean): Lane<Seen> {
    return new Lane<Seen>(
      {
        effort: this.#effort,
        newPlayer: (sees) => this.#newPlayer(sees),
        matters,
        isAbout,
        found: (finding) => this.#findInLane(finding),
        unclear: (events) => this.#unknowns.count("together", events.length),
      },
      whole,
    );
  }

  /** To the millisecond a moment is known on the service's own clock alone: there it may be kept in two ways. */
  #newPlayer(whole: boolean): Player<Seen> {
    const bySeconds = new RecordedPlayer(this.#playerContext(IN_SECONDS), whole);
    if (!whole || !this.#byServiceClock) return bySeconds;
    return new AnyOf([new RecordedPlayer(this.#playerContext(IN_MILLISECONDS), whole), bySeconds]);
  }

  #playerContext(timekeeping: Timekeeping) {
    const toleranceMs = () => (this.#byServiceClock ? 0 : this.#options.clockDoubtMs + 1);
    return {
      facts: this.#facts,
      // What was recorded without the service's clock may stand beside what was recorded with it.
      doubt: {
        timekeeping,
        get toleranceMs() {
          return toleranceMs();
        },
      },
      proofs: this.#proofs,
      bearerHabit: this.#bearerHabit,
      profile: this.#profile,
      started: this.#options.complete ? (this.#started ?? ONCE) : ONCE,
    };
  }

  #findInLane({ event, ...finding }: LaneFinding<Seen>): void {
    if (event.kind === "exchange") this.#findUnlessExplained({ ...finding, seen: event });
  }

  /** Notes a finding, at once or when it is known which headers the recording tells of. */
  #findUnlessExplained(finding: Omit<Finding, "creator">): void {
    if (!this.#toldHeaders.mayExplain(finding.seen)) this.#find(finding);
    else if (this.#unsure.length < MOST_FINDINGS) this.#unsure.push(finding);
    else this.#bareCount += 1;
  }

  #find(finding: Omit<Finding, "creator">): void {
    this.#found += 1;
    const { request } = finding.seen.exchange;
    const name = this.#strands.nameOf(request);
    const whole = { ...finding, creator: name.includes(" ") ? undefined : name };
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(whole);
    if (whole.creator !== undefined)
      this.#timelines.add(whole.creator, [...this.#strands.historyOf(name), finding.seen]);
    this.#options.onFinding?.(whole);
  }

  /** Forgets what can matter no more. */
  #sweep(): void {
    const nowMs = this.#latestMs;
    this.#ids.forget(nowMs - KEPT_MS);
    this.#bearers.forget(nowMs - KEPT_MS);
    this.#bearerHabit.forget(nowMs - KEPT_MS);
    this.#expired.forget(nowMs - KEPT_MS);
    this.#strands.sweep(nowMs);
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
