/** Something that took place between two moments: when exactly, and before or after what overlaps it, nobody knows. */
export interface Spanned {
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** How something that was seen contradicts what came before. */
export interface Contradiction {
  readonly rules: readonly string[];
  readonly expected: string;
  readonly got: string;
  readonly differences: readonly { readonly path: string; readonly expected: string; readonly got: string }[];
}

/** Follows a service from what is seen of it. */
export interface Player<Event> {
  /** Takes in what comes next; gives how it contradicts what came before. */
  play(event: Event): Contradiction | undefined;
}

/** Several players of which any may be right: something contradicts only where all have been contradicted. */
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

/** Where a history contradicts itself first, in the order in which it is given. */
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

/** What came of the search for an order: `unknown` where there are too many to try. */
type FoundLinearization<Event> = readonly Event[] | "none" | "unknown";

/** So many orders are begun. */
const MOST_TRIED = 2_000;

/** What may be spent on looking for orders: more with each event that comes, so that all takes time in proportion. */
export class Effort {
  /** So many events may be played at once, and so many more with each that comes. */
  static readonly #MOST = 50_000;
  static readonly #EACH = 10;
  #left = Effort.#MOST;

  /** An event came. */
  earn(): void {
    this.#left = Math.min(Effort.#MOST, this.#left + Effort.#EACH);
  }

  /** So many events are to be played. @returns whether they may be */
  spend(events: number): boolean {
    this.#left -= Math.min(events, this.#left + 1);
    return this.#left >= 0;
  }
}

/**
 * Looks for an order in which nothing contradicts what came before, among all in which it may have taken place.
 * @param before what surely came before, in its order
 * @param newPlayer gives a player that has seen nothing
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

/** What may have come next: whatever began before any other had ended; what ended first is tried first. */
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

/** What a partition must be told of the service that it follows. */
export interface PartitionOptions<Event> {
  /** What may be spent on looking for orders that fit, by all partitions together. */
  readonly effort: Effort;
  /** A player that has seen all that there was to see, or one that may have missed anything. */
  newPlayer(whole: boolean): Player<Event>;
  /** Whether an event may matter to what comes at this moment. */
  matters(event: Event, nowMs: number): boolean;
  /** Whether an event can have to do with another. */
  isAbout(event: Event, other: Event): boolean;
  /** Told of what contradicts the rest. */
  found(finding: PartitionFinding<Event>): void;
  /** Told that overlapping events were too many to be judged. */
  unclear(events: readonly Event[]): void;
}

/** An event that contradicts others, whatever order they took place in. */
export interface PartitionFinding<Event> extends Contradiction {
  readonly event: Event;
  /** The few that show it, in their order, the event itself the last. */
  readonly because: readonly Event[];
  /** Whether it is one only since nothing is missing of what was seen. */
  readonly byAbsence: boolean;
}

/** A history that is longer than this is looked through for what matters no more. */
const LONG = 256;

/** One partition of a service's history: what cannot have to do with what is in another. */
export class Partition<Event extends Spanned> {
  readonly #maker: PartitionOptions<Event>;
  #whole: boolean;
  #player: Player<Event>;
  /** What took place, in an order in which it fits. */
  #log: Event[] = [];
  #longest = LONG;
  /** What overlaps, and may be joined by more. */
  #waiting: Event[] = [];
  #untilMs = Number.NEGATIVE_INFINITY;

  /** @param whole whether nothing is missing of what will be seen */
  constructor(maker: PartitionOptions<Event>, whole: boolean) {
    this.#maker = maker;
    this.#whole = whole;
    this.#player = maker.newPlayer(whole);
  }

  /** Whether nothing is missing of what was seen. */
  get whole(): boolean {
    return this.#whole;
  }

  /** When the last of what waits has ended; nothing waits where that is long ago. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** What took place, as far as it is remembered. */
  get history(): readonly Event[] {
    return [...this.#log, ...this.#waiting];
  }

  /** Takes in what began no earlier than what came before. */
  add(event: Event): void {
    this.#maker.effort.earn();
    if (event.beginsMs > this.#untilMs) this.settle();
    this.#waiting.push(event);
    this.#untilMs = Math.max(this.#untilMs, event.endsMs);
  }

  /** From here on something may be missing, or may have taken place that nobody saw: before what waits, too. */
  miss(): void {
    if (!this.#whole) return;
    this.#whole = false;
    this.#begin(this.#log);
  }

  /** Judges what waits: nothing more can overlap it. */
  settle(): void {
    let waiting = this.#waiting.toSorted((a, b) => a.endsMs - b.endsMs);
    this.#waiting = [];
    while (waiting.length > 0) waiting = this.#take(waiting);
  }

  /** Forgets what matters no more. @returns whether anything is left */
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

  /** Takes in what fits of a group that overlaps. @returns what is left to be judged */
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

  /** The one of a group without which the others fit, in an order in which they do: where any will do, the last. */
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
   * Tells of an event that contradicts others, where no order of theirs explains it.
   * @param beside what else may have come before it
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
    // In the order in which they are told a few can be found quickly; it takes all orders to be sure of them.
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

  /** Begins anew with what took place, as far as it fits. */
  #begin(events: readonly Event[]): void {
    const player = this.#newPlayer();
    this.#log = events.filter((event) => player.play(event) === undefined);
    this.#player = player;
  }
}
