import { isDeepStrictEqual } from "node:util";
import { type Adapter, AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { findingOf, wasNotSent } from "../play/breakage.ts";
import type { PlayOutcome } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import { allSteps } from "../vectors/needs.ts";
import type { Vector } from "../vectors/vector.ts";
import { adviceKey } from "./advice-key.ts";
import type { Beside, Task } from "./beside.ts";
import { Company, type Stay } from "./company.ts";
import { FaultCount } from "./fault-count.ts";
import { tellingLastStart } from "./last-start.ts";
import { playStarted, type StartedOptions } from "./play-started.ts";
import { BAILED, broken, notPlayed, notStarted, type Stop, whyGone } from "./stop.ts";

export interface SeparateOptions extends StartedOptions {
  readonly adapter: Adapter;
  /** An open connection to begin with, unless a fault has ended it. */
  readonly first: Connection;
  /** Whether to stop after this result. */
  readonly bail: (result: Result) => boolean;
  /** Asked before each vector: why to stop, if so. */
  readonly asked: () => Stop | undefined;
  /** Whether each request takes so long that few are to be sent when nothing else is under way. */
  readonly slow?: boolean;
  /** Asks of a service in a new process what that of `first` was asked before the first vector. */
  readonly prepare?: (connection: Connection) => Promise<void>;
  /** Gives 0, 1, 2 and so on: the place of the vector to play next, where several threads play from one list. */
  readonly nextPlace?: (() => number) | undefined;
  /** What is to be done beside the vectors, where services are played on side by side. */
  readonly beside?: Beside;
}

/** A vector that was begun, and what came of it. */
interface Begun {
  readonly vector: Vector;
  played?: Played;
}

interface Played extends PlayOutcome {
  /** Whether its service shared its process with those of others that were under way meanwhile. */
  readonly inCompany: boolean;
  /** What carried its service, where that carries others, too. */
  readonly carrier?: object;
  /** Whether it is the first to show some advice. */
  readonly advises?: boolean;
}

/**
 * Plays each vector on a service of its own, on as many connections side by side as the adapter offers. What is judged
 * is the same however many there are: where services share a process, whatever does not pass is played once more when
 * nothing else is under way, and that counts; what only a calm process shows is played in one before; and why to stop early
 * is looked for in the order of the vectors.
 * @param take is told of every result as it comes, and again where another takes its place
 * @returns how many services were found to be good for side by side
 */
export async function driveSeparately(
  queue: readonly Vector[],
  options: SeparateOptions,
  take: (result: Result) => void,
): Promise<number> {
  const driven = new SideBySide(queue, options, take);
  try {
    await driven.play();
  } finally {
    options.beside?.close();
  }
  return driven.lanes;
}

/** How many vectors are played beside one that was seen to fail in a calm process. */
const COMPANIONS = 3;
/** Kinds of steps that stand for many requests, those that may for the most first. */
const LONG = ["custom", "repeat"] as const;
/** Where requests were overdue in company and are not alone, so many services are one. */
const SLOW_DOWN = 4;
/** What is done beside the vectors begins before them where it takes so many requests, and before long ones where so many. */
const MANY_REQUESTS = 20;
const MOST_REQUESTS = 150;

class SideBySide {
  /** How many vectors may be under way at once. */
  lanes: number;
  readonly #options: SeparateOptions & { readonly queue: readonly Vector[] };
  readonly #take: (result: Result) => void;
  readonly #next: () => Vector | undefined;
  readonly #connections: (Connection | undefined)[];
  readonly #company = new Company();
  /** What carried services until it broke. */
  readonly #broken = new WeakSet<object>();
  /** What broke when something was asked of it beside the vectors. */
  readonly #brokenBeside = new WeakSet<object>();
  /** In the order in which they were begun first. */
  readonly #begun: Begun[] = [];
  /** Those that are to be begun anew. */
  #anew: Begun[] = [];
  #faults = new FaultCount();
  /** How many, from the first, are through: what came of them stays. */
  #through = 0;
  /** How many were played side by side. */
  #sideBySide = 0;
  #stop: Stop | undefined;
  /** Rules of which a vector is played when nothing else is under way. */
  readonly #triedInCalm = new Set<string>();
  /** What was played before there was anything else under way. */
  readonly #calm = new Map<Vector, Begun>();
  /** What is begun before its turn, since it is under way for so long. */
  readonly #long = new Map<Vector, Begun>();
  /** Advice that was given so far, by its key. */
  readonly #advised = new Set<string>();
  /** Rules of which a failure was looked for in a new process, and among others. */
  readonly #triedElsewhere = new Set<string>();
  /** Whether nothing is begun before what failed in company was played alone. */
  #paused = false;

  constructor(queue: readonly Vector[], options: SeparateOptions, take: (result: Result) => void) {
    let place = 0;
    const { adapter, first, nextPlace = () => place++ } = options;
    this.#options = { ...options, queue };
    this.#take = take;
    this.#next = () => queue[nextPlace()];
    this.lanes = adapter.jobs;
    this.#connections = [first];
  }

  async play(): Promise<void> {
    await this.#playCalm();
    this.#beginLong();
    this.#options.beside?.start();
    do {
      this.#paused = false;
      const { beside, queue } = this.#options;
      const lanes = beside?.isOpen ? this.lanes : Math.min(this.lanes, queue.length);
      await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#playLane(lane)));
    } while (await this.#playSuspects());
    for (const { vector } of this.#begun.slice(this.#through))
      if (this.#stop !== undefined) this.#take(notPlayed(vector, this.#stop));
    // The first stays, for what comes next, unless it broke.
    for (const lane of this.#connections.keys())
      if (lane > 0 || this.#isBroken(lane)) await this.#disconnect(lane);
  }

  async #playLane(lane: number): Promise<void> {
    const { beside } = this.#options;
    while (!this.#paused) {
      const long = beside?.next(this.#anew[0] === undefined ? MANY_REQUESTS : MOST_REQUESTS);
      const begun = long === undefined ? (this.#anew.shift() ?? this.#begin()) : undefined;
      if (begun === undefined || ++this.#sideBySide > this.lanes) beside?.seen(begun === undefined);
      const task = begun === undefined ? (long ?? beside?.next()) : undefined;
      if (begun !== undefined) await this.#playOn(lane, begun);
      else if (task !== undefined) await this.#doBeside(lane, task);
      else return;
    }
  }

  async #doBeside(lane: number, task: Task): Promise<void> {
    let stay: Stay | undefined;
    let carrier: object | undefined;
    try {
      const fault = await task.do(async () => {
        const connection = await this.#connect(lane);
        carrier = connection.carrier;
        if (carrier !== undefined) stay = this.#company.enter(carrier);
        return connection;
      });
      if (fault === undefined) return;
      // Who broke it shows when nothing else is under way.
      this.#options.beside?.abandon();
      if (!fault.fatal) return;
      if (carrier !== undefined) {
        this.#broken.add(carrier);
        this.#brokenBeside.add(carrier);
      }
      await this.#disconnect(lane);
    } finally {
      if (stay !== undefined) this.#company.leave(stay);
    }
  }

  #begin(): Begun | undefined {
    for (let vector = this.#next(); vector !== undefined; vector = this.#next()) {
      const early = this.#calm.get(vector) ?? this.#long.get(vector);
      const begun = early ?? { vector };
      this.#begun.push(begun);
      if (early === undefined) return begun;
      this.#goThrough();
    }
    return undefined;
  }

  /** Lets what waits for the most answers, one after the other, begin first where each takes long: or all wait for it in the end. */
  #beginLong(): void {
    const { queue, slow, nextPlace } = this.#options;
    if (!slow || this.lanes === 1 || nextPlace !== undefined) return;
    for (const kind of LONG) {
      for (const vector of queue) {
        if (this.#calm.has(vector) || this.#long.has(vector)) continue;
        if (!allSteps(vector.steps).some((step) => step.kind === kind)) continue;
        const begun = { vector };
        this.#long.set(vector, begun);
        this.#anew.push(begun);
      }
    }
  }

  /**
   * Plays what is not to be played among others, until one says that there may be no more to play: one after the other, or
   * where each request takes long, one as soon as the one before it has started its service for the last time. What does not
   * pass while another is at its end is played once more by itself.
   */
  async #playCalm(): Promise<void> {
    const { queue, first, nextPlace, asked, bail, slow } = this.#options;
    if (this.lanes === 1 || first.carrier === undefined || nextPlace !== undefined) return;
    const underWay = new Map<number, Promise<void>>();
    const free = Array.from({ length: this.lanes }, (_, lane) => lane);
    let over = false;
    const play = async (lane: number, begun: Begun, onLastStart?: () => void) => {
      const played = await this.#playVector(lane, begun.vector, onLastStart);
      begun.played = played;
      over ||= played.fault !== undefined || bail(played.result);
      if (!isSuspect(played)) this.#take(played.result);
      underWay.delete(lane);
      free.unshift(lane);
    };
    for (const vector of queue.filter((one) => this.#isForCalm(one))) {
      if (free.length === 0) await Promise.race(underWay.values());
      const lane = free.shift() ?? 0;
      if (over || asked() !== undefined) break;
      const begun = { vector };
      this.#calm.set(vector, begun);
      const started = new Promise<void>((resolve) => {
        underWay.set(lane, play(lane, begun, slow ? resolve : undefined));
      });
      await Promise.race([started, underWay.get(lane)]);
    }
    await Promise.all(underWay.values());
    for (const begun of this.#calm.values())
      if (begun.played !== undefined && isSuspect(begun.played)) await this.#playOn(0, begun);
  }

  /**
   * Whether a vector is to be played when nothing else is under way, since others could make it pass. What a process hands
   * on from the service that was made last to the next is seen only where both are the same vector's, and what it hands on
   * from one request to the next only where both are.
   */
  #isForCalm({ rules: [rule = ""], steps }: Vector): boolean {
    const kinds = new Set(allSteps(steps).map(({ kind }) => kind));
    if (kinds.has("restart")) return true;
    // A verb of the contract's own may stand for thousands of requests.
    if (this.#options.slow || kinds.has("custom") || this.#triedInCalm.has(rule)) return false;
    this.#triedInCalm.add(rule);
    return true;
  }

  async #playOn(lane: number, begun: Begun): Promise<void> {
    const { vector } = begun;
    const stop = this.#stop ?? this.#options.asked();
    const played =
      stop === undefined
        ? await this.#playVector(lane, vector)
        : { result: notPlayed(vector, stop), inCompany: false };
    begun.played = played;
    if (isSuspect(played)) {
      this.#paused ||= played.fault !== undefined || this.#options.bail(played.result);
      return;
    }
    this.#take(played.result);
    if (stop === undefined) this.#goThrough();
  }

  /** @param onLastStart told when the service was started for the last time, where that is known */
  async #playVector(lane: number, vector: Vector, onLastStart?: () => void): Promise<Played> {
    let stay: Stay | undefined;
    try {
      const connection = await this.#connect(lane);
      const { carrier } = connection;
      if (carrier !== undefined) stay = this.#company.enter(carrier);
      const line = onLastStart === undefined ? connection : tellingLastStart(connection, vector, onLastStart);
      const outcome = await playStarted(vector, line, this.#options);
      if (outcome.fault?.fatal) {
        if (carrier !== undefined) this.#broken.add(carrier);
        await this.#disconnect(lane);
      }
      return {
        ...outcome,
        inCompany: stay?.inCompany ?? false,
        ...(carrier === undefined ? {} : { carrier }),
        advises: this.#advises(outcome.result),
      };
    } catch (error) {
      // Anything else is the kit's own fault and goes up.
      if (!(error instanceof AdapterFault)) throw error;
      return { ...notStarted(vector, error), inCompany: false };
    } finally {
      if (stay !== undefined) this.#company.leave(stay);
    }
  }

  #advises({ advice }: Result): boolean {
    const before = this.#advised.size;
    for (const one of advice) this.#advised.add(adviceKey(one));
    return this.#advised.size > before;
  }

  async #connect(lane: number): Promise<Connection> {
    const { adapter, stage } = this.#options;
    if (this.#isBroken(lane)) await this.#disconnect(lane);
    const connection = this.#connections[lane] ?? (await adapter.connect(stage.contract));
    this.#connections[lane] = connection;
    return connection;
  }

  #isBroken(lane: number): boolean {
    const carrier = this.#connections[lane]?.carrier;
    return carrier !== undefined && this.#broken.has(carrier);
  }

  /** Whether something was asked beside the vectors when this one's service broke: that may have broken it. */
  #brokeBeside({ carrier }: Played): boolean {
    return carrier !== undefined && this.#brokenBeside.has(carrier);
  }

  async #disconnect(lane: number): Promise<void> {
    const connection = this.#connections[lane];
    this.#connections[lane] = undefined;
    await connection?.close();
  }

  /** Looks in order at what can no longer change, for a reason to stop. */
  #goThrough(): void {
    const { bail, first } = this.#options;
    while (this.#stop === undefined) {
      const played = this.#begun[this.#through]?.played;
      if (played === undefined || isSuspect(played)) return;
      this.#through += 1;
      const { fault, result } = played;
      if (fault === undefined) {
        this.#faults.wentWell();
        if (bail(result)) this.#stop = BAILED;
        continue;
      }
      // A program can be started anew; a server that is asked over HTTP is somebody else's.
      if (first.info.transport === "http") this.#stop = whyGone(fault);
      if (!counts(fault)) continue;
      const why = this.#faults.note(fault);
      if (why !== undefined) this.#stop ??= broken(why);
    }
  }

  /**
   * Plays alone what did not pass in the company of others, so that nothing is said of it that another may have caused.
   * @returns whether there may be more to play
   */
  async #playSuspects(): Promise<boolean> {
    const begun = new Set([...this.#begun, ...this.#long.values()]);
    const suspects = [...begun].filter(({ played }) => played !== undefined && isSuspect(played));
    const before = suspects.map(({ played }) => played);
    for (const suspect of suspects) await this.#playOn(0, suspect);
    if (this.#stop !== undefined || this.#options.asked() !== undefined) return suspects.length > 0;
    const failed = this.#firstOfRules([...this.#calm.values(), ...suspects]);
    if (suspects.length === 0 && failed.length === 0) return false;
    const broke = before.filter((played) => played?.fault !== undefined && !this.#brokeBeside(played));
    const isSame = suspects.every(({ played }, place) => {
      const first = before[place];
      return first?.fault !== undefined || areAlike(played, first);
    });
    const isApart = isSame && (await this.#failElsewhere(failed));
    const brokeAlone = suspects.some(({ played }) => played?.fault !== undefined);
    // What is overdue for one may be so for the work of all; then the others have been answered rightly.
    if (isApart && broke.length > 0 && !brokeAlone && broke.every(wasOverdue))
      this.lanes = Math.ceil(this.lanes / SLOW_DOWN);
    else if (!isApart || (broke.length > 0 && !brokeAlone)) await this.#playAllAlone();
    return true;
  }

  /** Those that failed, of each rule the first, which speaks for the rest; none of a rule that was given before. */
  #firstOfRules(some: readonly Begun[]): readonly Begun[] {
    return some.filter(({ played }) => {
      const rule = blamed(played);
      if (rule === undefined || this.#triedElsewhere.has(rule)) return false;
      this.#triedElsewhere.add(rule);
      return true;
    });
  }

  /**
   * Whether failures are so in a new process, too, rather than for what was left there by other services, of which there
   * may be less, or something else, where vectors are played in their order; and whether those that were seen in a calm
   * process alone are so among others.
   */
  async #failElsewhere(failed: readonly Begun[]): Promise<boolean> {
    if (failed.length === 0) return true;
    // Others have left something since then, if they do at all.
    const calm = failed.filter(({ vector }) => this.#calm.has(vector));
    if (!(await this.#failAgain(calm))) return false;
    await this.#renew();
    return (await this.#failAgain(failed)) && this.#failInCompany(calm);
  }

  async #failAgain(failed: readonly Begun[]): Promise<boolean> {
    for (const { vector, played } of failed)
      if (!areAlike(await this.#playVector(0, vector), played)) return false;
    return true;
  }

  async #failInCompany(failed: readonly Begun[]): Promise<boolean> {
    const passed = this.#begun.filter(({ played }) => played?.result.outcome === "passed");
    const others = passed.slice(0, COMPANIONS);
    if (failed.length === 0 || others.length === 0) return true;
    let over = false;
    const company = others.map(async ({ vector }, place) => {
      while (!over) await this.#playVector(1 + place, vector);
    });
    const fail = await this.#failAgain(failed);
    over = true;
    await Promise.all(company);
    return fail;
  }

  async #renew(): Promise<void> {
    for (const lane of this.#connections.keys()) await this.#disconnect(lane);
    await this.#options.adapter.renew?.();
  }

  /** Leaves a new process as the first was before its first vector. */
  async #prepare(): Promise<void> {
    try {
      await this.#options.prepare?.(await this.#connect(0));
    } catch (error) {
      // Whoever is asked next finds that, too.
      if (!(error instanceof AdapterFault)) throw error;
    }
  }

  /** Services that stand by each other's state, or break together and none of them alone, are asked one after the other. */
  async #playAllAlone(): Promise<void> {
    this.#options.beside?.abandon();
    await this.#renew();
    await this.#prepare();
    this.lanes = 1;
    this.#calm.clear();
    this.#long.clear();
    this.#anew = [...this.#begun];
    for (const begun of this.#begun) delete begun.played;
    this.#faults = new FaultCount();
    this.#through = 0;
  }
}

/** What a vector showed that does not hang on chance. */
function shownBy(played: Played | undefined): unknown {
  const { failures = [], advice = [] } = played?.result ?? {};
  return [failures.map(({ step, rules }) => [step, rules]), advice.map(adviceKey)];
}

function areAlike(one: Played | undefined, other: Played | undefined): boolean {
  if (one?.fault !== undefined || one?.result.outcome !== other?.result.outcome) return false;
  return isDeepStrictEqual(shownBy(one), shownBy(other));
}

/** The rule that a vector was found to break first. */
function blamed(played: Played | undefined): string | undefined {
  return played?.result.failures[0]?.rule;
}

function wasOverdue(played: Played | undefined): boolean {
  const kind = played?.fault === undefined ? undefined : findingOf(played.fault)?.finding.kind;
  return kind === "hang" || kind === "slow";
}

/** Whether what a vector came to may have been for what another asked of the same process. */
function isSuspect({ result, fault, inCompany, advises = false }: Played): boolean {
  if (!inCompany || (fault !== undefined && wasNotSent(fault))) return false;
  return advises || result.outcome !== "passed";
}

/** Whether a fault says that the adapter cannot be driven, rather than that one request was not answered. */
function counts(fault: AdapterFault): boolean {
  const finding = findingOf(fault)?.finding;
  return finding === undefined ? fault.fatal : finding.kind === "lost" && finding.alive === false;
}
