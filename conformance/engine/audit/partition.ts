/** An event that took place at an unknown instant between two moments: events that overlap may have happened in either order. */
export interface Spanned {
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** How an event contradicts the events before it. */
export interface Contradiction {
  readonly rules: readonly string[];
  readonly expected: string;
  readonly got: string;
  readonly differences: readonly { readonly path: string; readonly expected: string; readonly got: string }[];
}

/** Follows a service by its observed events. */
export interface Player<Event> {
  /** Takes the next event; returns how it contradicts the events before it. */
  play(event: Event): Contradiction | undefined;
}

/** Several players of which any may be right: an event is a contradiction only once every player has been contradicted. */
export class AnyOf<Event> implements Player<Event> {
  #right: readonly Player<Event>[];

  constructor(players: readonly Player<Event>[]) {
    this.#right = players;
  }

  play(event: Event): Contradiction | undefined {
    const told = this.#right.map((player) => ({ player, contradiction: player.play(event) }));
    const right = told.filter(({ contradiction }) => contradiction === undefined);
    if (right.length === 0) return told[0]?.contradiction;
    this.#right = right.map(({ player }) => player);
    return undefined;
  }
}

/** Finds the first event that contradicts the events before it, in the given order. */
function firstContradiction<Event>(
  events: readonly Event[],
  player: Player<Event>,
): { readonly index: number; readonly contradiction: Contradiction } | undefined {
  for (const [index, event] of events.entries()) {
    const contradiction = player.play(event);
    if (contradiction !== undefined) return { index, contradiction };
  }
  return undefined;
}

/** Result of the search for an order: `unknown` where there are too many to try. */
type FoundLinearization<Event> = readonly Event[] | "none" | "unknown";

/** Number of orders that one search begins. */
const MOST_TRIED = 2_000;

/** Budget of the search for orders. It grows with each event, so that the whole takes linear time. */
export class Effort {
  /** Largest budget, and its growth by each event, in played events. */
  static readonly #MOST = 50_000;
  static readonly #EACH = 10;
  #left = Effort.#MOST;

  /** Adds the share of a new event. */
  earn(): void {
    this.#left = Math.min(Effort.#MOST, this.#left + Effort.#EACH);
  }

  /** Spends the budget for playing events. @returns whether it sufficed */
  spend(events: number): boolean {
    this.#left -= Math.min(events, this.#left + 1);
    return this.#left >= 0;
  }
}

/**
 * Looks for an order without a contradiction among all in which overlapping events may have taken place.
 * @param before events that surely came before, in order
 * @param newPlayer makes a player that has seen no event
 */
export function linearization<Event extends Spanned>(
  before: readonly Event[],
  events: readonly Event[],
  newPlayer: () => Player<Event>,
  effort: Effort,
): FoundLinearization<Event> {
  const replayed = (order: readonly Event[]): Player<Event> | undefined => {
    if (!effort.spend(before.length + order.length)) return undefined;
    const player = newPlayer();
    for (const event of before) player.play(event);
    for (const event of order) player.play(event);
    return player;
  };
  let tried = 0;
  const search = (
    order: readonly Event[],
    rest: readonly Event[],
    live: Player<Event> | undefined,
  ): FoundLinearization<Event> => {
    if (rest.length === 0) return order;
    let gaveUp = false;
    for (const [place, next] of nextOf(rest).entries()) {
      tried += 1;
      const player = place === 0 ? live : replayed(order);
      if (tried > MOST_TRIED || player === undefined || !effort.spend(1)) return "unknown";
      if (player.play(next) !== undefined) continue;
      const others = rest.filter((event) => event !== next);
      const found = search([...order, next], others, player);
      if (typeof found !== "string") return found;
      gaveUp ||= found === "unknown";
    }
    return gaveUp ? "unknown" : "none";
  };
  return search([], events, replayed([]));
}

/** Events that may have come next: those that began before any other had ended. The first to end is tried first. */
function nextOf<Event extends Spanned>(rest: readonly Event[]): readonly Event[] {
  const firstEnd = rest.reduce((least, { endsMs }) => Math.min(least, endsMs), Number.POSITIVE_INFINITY);
  return rest.filter(({ beginsMs }) => beginsMs <= firstEnd).sort((a, b) => a.endsMs - b.endsMs);
}

/** The smallest subset of these events of which the last still fails: drops what it can, long runs first. */
export function minimalSubset<Event>(
  events: readonly Event[],
  fails: (events: readonly Event[]) => boolean,
): readonly Event[] {
  let best = events;
  for (let size = Math.ceil((best.length - 1) / 2); size >= 1; ) {
    let dropped = false;
    for (let end = best.length - 1; end > 0; end -= size) {
      const shorter = [...best.slice(0, Math.max(0, end - size)), ...best.slice(end)];
      if (shorter.length === best.length || !fails(shorter)) continue;
      best = shorter;
      dropped = true;
    }
    size = size > 1 ? Math.ceil(size / 2) : dropped ? 1 : 0;
  }
  return best;
}

/** What a partition needs to know of the service that it follows. */
export interface PartitionOptions<Event> {
  /** Budget of the search for orders, shared by all partitions. */
  readonly effort: Effort;
  /** Makes a player that has seen every event, or one that may have missed some. */
  newPlayer(whole: boolean): Player<Event>;
  /** Whether an event may still affect events at this moment. */
  matters(event: Event, nowMs: number): boolean;
  /** Whether two events can be related. */
  isAbout(event: Event, other: Event): boolean;
  /** Called with an event that contradicts the others. */
  found(finding: PartitionFinding<Event>): void;
  /** Called where too many events overlap to be judged. */
  unclear(events: readonly Event[]): void;
}

/** An event that contradicts others in every order in which they may have taken place. */
export interface PartitionFinding<Event> extends Contradiction {
  readonly event: Event;
  /** The smallest set of events that shows it, in order; the event itself is the last. */
  readonly because: readonly Event[];
  /** Whether it is a finding only because no event is missing. */
  readonly byAbsence: boolean;
}

/** Length of a history from which on irrelevant events are dropped. */
const LONG = 256;

/** One partition of a service's history: its events are unrelated to those of other partitions. */
export class Partition<Event extends Spanned> {
  readonly #maker: PartitionOptions<Event>;
  #whole: boolean;
  #player: Player<Event>;
  /** Past events, in an order without a contradiction. */
  #log: Event[] = [];
  #longest = LONG;
  /** Overlapping events that more events may join. */
  #waiting: Event[] = [];
  #untilMs = Number.NEGATIVE_INFINITY;

  /** @param whole whether no event will be missing */
  constructor(maker: PartitionOptions<Event>, whole: boolean) {
    this.#maker = maker;
    this.#whole = whole;
    this.#player = maker.newPlayer(whole);
  }

  /** Whether no event is missing. */
  get whole(): boolean {
    return this.#whole;
  }

  /** When the last of the waiting events ended; long ago where none waits. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** All events that are still remembered. */
  get history(): readonly Event[] {
    return [...this.#log, ...this.#waiting];
  }

  /** Takes an event that began no earlier than those before it. */
  add(event: Event): void {
    this.#maker.effort.earn();
    if (event.beginsMs > this.#untilMs) this.settle();
    this.#waiting.push(event);
    this.#untilMs = Math.max(this.#untilMs, event.endsMs);
  }

  /** Notes that an event may be missing from here on, or before the waiting ones. */
  miss(): void {
    if (!this.#whole) return;
    this.#whole = false;
    this.#begin(this.#log);
  }

  /** Judges the waiting events, which no further event can overlap. */
  settle(): void {
    let waiting = this.#waiting.toSorted((a, b) => a.endsMs - b.endsMs);
    this.#waiting = [];
    while (waiting.length > 0) waiting = this.#take(waiting);
  }

  /** Drops irrelevant events. @returns whether any are left */
  forget(nowMs: number): boolean {
    if (this.waits) return true;
    const left = this.#log.filter((event) => this.#maker.matters(event, nowMs));
    if (left.length === 0) return false;
    if (left.length < this.#log.length / 2) {
      this.#whole = false;
      this.#begin(left);
    }
    return true;
  }

  /** Takes those of an overlapping group that fit. @returns the events that are left to be judged */
  #take(events: readonly Event[]): Event[] {
    const played = firstContradiction(events, this.#player);
    if (played === undefined) return this.#keep(events);
    const isAlone = events.length === 1;
    const fitting = isAlone ? "none" : this.#orderAfter(this.#log, events);
    if (typeof fitting !== "string") {
      this.#begin([...this.#log, ...fitting]);
      return [];
    }
    const odd = fitting === "none" && !isAlone ? this.#oddOneOut(events) : undefined;
    if (odd !== undefined) {
      const { event, others } = odd;
      const player = this.#newPlayer();
      for (const one of [...this.#log, ...others]) player.play(one);
      this.#suspect([...this.#log, ...others], event, player.play(event) ?? played.contradiction);
      this.#whole = false;
      this.#begin([...this.#log, ...others]);
      return [];
    }
    const before = events.slice(0, played.index);
    const event = events[played.index];
    if (event === undefined) return [];
    const left = events.slice(played.index + 1);
    if (fitting === "unknown") this.#maker.unclear(events);
    else this.#suspect([...this.#log, ...before], event, played.contradiction, left);
    this.#whole = false;
    this.#begin([...this.#log, ...before]);
    return left;
  }

  /** The event of a group without which the others fit, and their order; the last such event, where there are several. */
  #oddOneOut(
    events: readonly Event[],
  ): { readonly event: Event; readonly others: readonly Event[] } | undefined {
    for (const event of events.toReversed()) {
      const rest = events.filter((one) => one !== event);
      const others = this.#orderAfter(this.#log, rest);
      if (typeof others !== "string") return { event, others };
    }
    return undefined;
  }

  #keep(events: readonly Event[]): Event[] {
    this.#log.push(...events);
    if (this.#log.length <= this.#longest) return [];
    const nowMs = events.at(-1)?.beginsMs ?? 0;
    this.forget(nowMs);
    this.#longest = Math.max(LONG, 2 * this.#log.length);
    return [];
  }

  /**
   * Reports an event that contradicts others, unless some order of them explains it.
   * @param beside further events that may have come before it
   */
  #suspect(
    before: readonly Event[],
    event: Event,
    contradiction: Contradiction,
    beside: readonly Event[] = [],
  ): void {
    const all = [...before, event];
    const inPart = () => this.#maker.newPlayer(false);
    const failsAtEnd = (events: readonly Event[]) => {
      const first = firstContradiction(events, inPart());
      return first !== undefined && first.index === events.length - 1;
    };
    // A small set is found quickly in the given order; all orders must be tried to be sure of it.
    const fitsNever = (events: readonly Event[]) =>
      linearization([], events, inPart, this.#maker.effort) === "none";
    const few = failsAtEnd(all) ? minimalSubset(all, failsAtEnd) : all;
    const because = fitsNever(few) ? few : fitsNever(all) ? minimalSubset(all, fitsNever) : undefined;
    if (because !== undefined) {
      const told = firstContradiction(because, inPart())?.contradiction ?? contradiction;
      this.#maker.found({ ...told, event, because, byAbsence: false });
      return;
    }
    const fitting = this.#whole
      ? linearization([], [...all, ...beside], () => this.#maker.newPlayer(true), this.#maker.effort)
      : [];
    if (fitting === "none") {
      const about = before.filter((one) => this.#maker.isAbout(one, event));
      this.#maker.found({ ...contradiction, event, because: [...about, event], byAbsence: true });
    } else if (fitting === "unknown") this.#maker.unclear(all);
  }

  #orderAfter(before: readonly Event[], events: readonly Event[]): FoundLinearization<Event> {
    return linearization(before, events, () => this.#newPlayer(), this.#maker.effort);
  }

  #newPlayer(): Player<Event> {
    return this.#maker.newPlayer(this.#whole);
  }

  /** Starts over with the events that fit. */
  #begin(events: readonly Event[]): void {
    const player = this.#newPlayer();
    this.#log = events.filter((event) => player.play(event) === undefined);
    this.#player = player;
  }
}
