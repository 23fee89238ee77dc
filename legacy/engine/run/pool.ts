import { isDeepStrictEqual } from "node:util";
import { type Adapter, AdapterFault, type Connection, MissingAnswer } from "../../adapters/adapter.ts";
import type { Contract } from "../contract.ts";
import { findingOf, wasNotSent } from "../play/breakage.ts";
import type { Line } from "../play/line.ts";
import { type Probe, Unmeasured } from "../play/measured.ts";
import type { Failure, Result } from "../play/result.ts";
import { BAILED, broken, FaultCount, type Stop, whyGone } from "./stop.ts";

/** What came of an item. */
export interface Played {
  readonly result: Result;
  /** The fault that ended it, if one did. */
  readonly fault?: AdapterFault;
}

/** Something to do on an instance of the implementation. */
export interface Item {
  /**
   * Does it on an instance that nobody else asks meanwhile.
   * @throws {Unmeasured} where it depends on what a probe has to measure first: then it is done once more
   * @throws {AdapterFault} where the instance breaks
   */
  play(connection: Line): Promise<Played>;
  /** What it comes to where it is not done, or the instance broke. */
  leftOut(why: Stop | AdapterFault): Played;
  /** Told what it came to, and again where something else takes its place. */
  done(played: Played): void;
  /**
   * Asks to be played when nothing else is under way in its process, since what others do there could hide a fault. The
   * first of each group is, and all of a group of which one does not pass; where each request takes long, only of groups
   * that are `always` to be.
   */
  readonly alone?: { readonly group: string; readonly always: boolean };
  /** About how many requests it takes, one after the other, in classes: where each takes long the longest begin first. */
  readonly length?: number;
}

export interface PoolOptions {
  readonly adapter: Adapter;
  readonly contract: Contract;
  /** An open connection to begin with, unless a fault has ended it. */
  readonly first: Line;
  /** Whether to stop after this result. */
  readonly bail: (result: Result) => boolean;
  /** Asked before each item: why to stop, if so. */
  readonly asked: () => Stop | undefined;
  /** Whether each request takes so long that few are to be sent when nothing else is under way. */
  readonly isSlow: () => boolean;
  /** Measures on a connection what a probe measures, once. */
  readonly measure: (probe: Probe, connection: Connection) => Promise<unknown>;
  /** Asks an instance in a new process what the first was asked before its first item; what was measured is forgotten. */
  readonly prepare: (connection: Connection) => Promise<unknown>;
}

/** An item, and what came of it so far. */
interface Entry {
  readonly item: Item;
  played?: Played;
  /** Whether that may be as it is for what others asked of the same process, then or before. */
  doubtful: boolean;
  /** Plays that a probe interrupted: what was wrong with their answers counts. */
  readonly interrupted: Unmeasured[];
}

/** Where requests were overdue in company and are not alone, so many instances become one. */
const SLOW_DOWN = 4;

/**
 * Several instances of an implementation, and one list of items that are done on them. What is told is the same however many
 * instances there are. Where those share a process, whatever does not pass there is played once more when nothing else is
 * under way, in a new process, and that counts; where it shows anything else then, the instances are not independent, and
 * all is done anew, one item after the other. Why to stop early is looked for in the order of the list.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #connections: (Line | undefined)[];
  /** In the order of the list. */
  readonly #entries: Entry[] = [];
  #queue: Entry[] = [];
  /** Items that are yet to be asked for. */
  #more: Iterator<Item> | undefined;
  readonly #underWay = new Set<Entry>();
  /** What a probe interrupted while others were under way. */
  readonly #waiting: Entry[] = [];
  /** How many items may be under way at once. */
  #lanes: number;
  /** What carried instances until it broke. */
  readonly #broken = new WeakSet<object>();
  #faults = new FaultCount();
  /** How many, from the first, are settled: what came of them stays. */
  #settled = 0;
  #stop: Stop | undefined;
  /** Whether nothing is begun before what did not pass in company was played alone. */
  #paused = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#connections = [options.first];
    this.#lanes = options.adapter.jobs;
  }

  /** Whether the instances that are asked side by side share a process. */
  get #isShared(): boolean {
    return this.#lanes > 1 && this.#options.first.carrier !== undefined;
  }

  /**
   * Does all items.
   * @param more items that are known only when the first ones have begun
   */
  async run(items: readonly Item[], more?: Iterable<Item>): Promise<void> {
    for (const item of items) this.#add(item);
    this.#more = more?.[Symbol.iterator]();
    if (items.length < 2 && more === undefined) this.#lanes = 1;
    if (this.#isShared) await this.#playAlone();
    if (this.#lanes > 1 && this.#options.isSlow())
      this.#queue.sort((one, other) => (other.item.length ?? 0) - (one.item.length ?? 0));
    do {
      this.#paused = false;
      await Promise.all(Array.from({ length: this.#lanes }, (_, lane) => this.#work(lane)));
    } while ((await this.#playSuspects()) || this.#queue.length > 0);
    for (const { item } of this.#entries.slice(this.#settled))
      if (this.#stop !== undefined) item.done(item.leftOut(this.#stop));
    // The first stays, for whoever comes next, unless it broke.
    for (const [lane, connection] of this.#connections.entries())
      if (connection !== this.#options.first || this.#isEnded(connection)) await this.#disconnect(lane);
  }

  #add(item: Item): Entry {
    const entry: Entry = { item, doubtful: false, interrupted: [] };
    this.#entries.push(entry);
    this.#queue.push(entry);
    return entry;
  }

  /** What is to be begun next. */
  #peek(): Entry | undefined {
    if (this.#queue.length === 0) {
      const next = this.#more?.next();
      if (next?.done === false) this.#add(next.value);
    }
    return this.#queue[0];
  }

  async #work(lane: number): Promise<void> {
    for (let entry = this.#peek(); entry !== undefined && !this.#paused; entry = this.#peek()) {
      this.#queue.shift();
      this.#underWay.add(entry);
      if (this.#isShared && this.#underWay.size > 1) for (const one of this.#underWay) one.doubtful = true;
      // What others ask of the process would be measured with it.
      const playing = this.#isShared ? this.#play(lane, entry) : this.#playByItself(entry, lane);
      const played = await playing;
      this.#underWay.delete(entry);
      if (played === undefined) {
        this.#waiting.push(entry);
        this.#paused = true;
        continue;
      }
      entry.played = played;
      if (isSuspect(entry)) this.#paused ||= played.fault !== undefined || this.#options.bail(played.result);
      else this.#settle(entry);
    }
  }

  /** Plays what asks for it when nothing else is under way, until one says that there may be no more to play. */
  async #playAlone(): Promise<void> {
    /** Groups of which one was played, and whether all of those passed. */
    const passed = new Map<string, boolean>();
    for (const entry of [...this.#queue]) {
      const { always = false, group } = entry.item.alone ?? {};
      if (group === undefined || passed.get(group) || !(always || !this.#options.isSlow())) continue;
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      entry.played = await this.#playByItself(entry);
      const { fault, result } = entry.played;
      entry.doubtful = fault === undefined;
      passed.set(group, result.outcome === "passed");
      if (!isSuspect(entry)) this.#settle(entry);
      if (fault !== undefined || this.#options.bail(result) || this.#stop !== undefined) return;
    }
  }

  /**
   * Plays an item when nothing else is under way in its process, once more after each probe that it has to wait for.
   * @param lane where to play it
   */
  async #playByItself(entry: Entry, lane = 0): Promise<Played> {
    for (;;) {
      const played = await this.#play(lane, entry);
      if (played !== undefined) return played;
      const probe = entry.interrupted.at(-1)?.probe;
      if (probe !== undefined) await this.#options.measure(probe, await this.#connect(lane));
    }
  }

  /** @returns undefined where a probe has to measure something first */
  async #play(lane: number, { item, interrupted }: Entry): Promise<Played | undefined> {
    const stop = this.#stop ?? this.#options.asked();
    if (stop !== undefined) return item.leftOut(stop);
    try {
      return withSeen(await item.play(await this.#connect(lane)), seenIn(interrupted));
    } catch (error) {
      if (error instanceof Unmeasured) {
        interrupted.push(error);
        return undefined;
      }
      // Anything else is the kit's own fault, or leaves nothing to judge by, and goes up.
      if (!(error instanceof AdapterFault) || error instanceof MissingAnswer) throw error;
      return withSeen(item.leftOut(error), seenIn(interrupted));
    }
  }

  async #connect(lane: number): Promise<Line> {
    const { adapter, contract } = this.#options;
    if (this.#isEnded(this.#connections[lane])) await this.#disconnect(lane);
    const connection = this.#connections[lane] ?? (await adapter.connect(contract));
    this.#connections[lane] = connection;
    return connection;
  }

  #isEnded(connection: Line | undefined): boolean {
    if (connection === undefined) return false;
    const { carrier, ended = false } = connection;
    if (ended && carrier !== undefined) this.#broken.add(carrier);
    return ended || (carrier !== undefined && this.#broken.has(carrier));
  }

  async #disconnect(lane: number): Promise<void> {
    const connection = this.#connections[lane];
    this.#connections[lane] = undefined;
    await connection?.close();
  }

  async #renew(): Promise<void> {
    for (const lane of this.#connections.keys()) await this.#disconnect(lane);
    await this.#options.adapter.renew?.();
  }

  /** Tells what came of an item, and looks in the order of the list at what can no longer change, for a reason to stop. */
  #settle({ item, played }: Entry): void {
    if (played !== undefined) item.done(played);
    const { bail, first } = this.#options;
    while (this.#stop === undefined) {
      const entry = this.#entries[this.#settled];
      if (entry?.played === undefined || isSuspect(entry)) return;
      this.#settled += 1;
      const { fault, result } = entry.played;
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
   * Plays alone, in a new process, what did not pass among others, and what did not pass alone after others had been there,
   * so that nothing is said of it that another may have caused.
   * @returns whether there may be more to play
   */
  async #playSuspects(): Promise<boolean> {
    await this.#measureForThoseWhoWait();
    const suspects = this.#entries.filter(isSuspect);
    if (!this.#isShared || suspects.length === 0) return false;
    const before = suspects.map(({ played }) => played);
    await this.#renew();
    for (const entry of suspects) await this.#playAgain(entry);
    if (this.#stop !== undefined || this.#options.asked() !== undefined) return true;
    const broke = before.flatMap((played) => played?.fault ?? []);
    const brokeAlone = suspects.some(({ played }) => played?.fault !== undefined);
    const isSame = suspects.every(({ played }, place) => {
      const first = before[place];
      return first?.fault !== undefined || areAlike(played, first);
    });
    // What is overdue for one may be so for the work of all; then the others have been answered rightly.
    if (isSame && broke.length > 0 && !brokeAlone && broke.every(wasOverdue))
      this.#lanes = Math.ceil(this.#lanes / SLOW_DOWN);
    else if (!isSame || (broke.length > 0 && !brokeAlone)) await this.#playAllAlone();
    return true;
  }

  /** What had to wait for probes is done once more when they have measured. */
  async #measureForThoseWhoWait(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    for (const probe of new Set(waiting.flatMap(({ interrupted }) => interrupted.at(-1)?.probe ?? [])))
      await this.#options.measure(probe, await this.#connect(0));
    for (const entry of waiting) entry.doubtful = false;
    this.#queue.unshift(...waiting);
  }

  async #playAgain(entry: Entry): Promise<void> {
    entry.played = await this.#playByItself(entry);
    entry.doubtful = false;
    this.#settle(entry);
  }

  /** Instances that stand by each other's state, or break together and none of them alone, are asked one after the other. */
  async #playAllAlone(): Promise<void> {
    await this.#renew();
    try {
      await this.#options.prepare(await this.#connect(0));
    } catch (error) {
      // Whoever is asked next finds that, too.
      if (!(error instanceof AdapterFault)) throw error;
    }
    this.#lanes = 1;
    this.#faults = new FaultCount();
    this.#settled = 0;
    this.#queue = [...this.#entries];
    for (const entry of this.#entries) {
      delete entry.played;
      entry.doubtful = false;
    }
  }
}

/** Whether what an item came to may have been for what another asked of the same process. */
function isSuspect({ played, doubtful }: Entry): boolean {
  if (played === undefined || !doubtful) return false;
  const { fault, result } = played;
  return (fault === undefined || !wasNotSent(fault)) && result.outcome !== "passed";
}

/** An outcome with what was wrong in plays that a probe interrupted: nothing that was seen broken is lost. */
export function withSeen(played: Played, seen: readonly Failure[]): Played {
  if (seen.length === 0) return played;
  const { result } = played;
  const known = new Set([...result.failures, ...result.incidental].map(({ rule }) => rule));
  const fresh = seen.filter(({ rule }) => !known.has(rule) && known.add(rule));
  return { ...played, result: { ...result, incidental: [...result.incidental, ...fresh] } };
}

function seenIn(interrupted: readonly Unmeasured[]): readonly Failure[] {
  return interrupted.flatMap((one) => one.seen());
}

/** What an item showed that does not depend on chance. */
function shownBy({ result }: Played): unknown {
  return [result.outcome, result.failures.map(({ rules }) => rules)];
}

function areAlike(one: Played | undefined, other: Played | undefined): boolean {
  if (one === undefined || other === undefined || one.fault !== undefined) return false;
  return isDeepStrictEqual(shownBy(one), shownBy(other));
}

function wasOverdue(fault: AdapterFault): boolean {
  const kind = findingOf(fault)?.finding.kind;
  return kind === "hang" || kind === "slow";
}

/** Whether a fault says that the adapter cannot be driven, rather than that one request was not answered. */
function counts(fault: AdapterFault): boolean {
  const finding = findingOf(fault)?.finding;
  return finding === undefined ? fault.fatal : finding.kind === "lost" && finding.alive === false;
}
