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
export function firstContradiction<Event>(
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
export type FoundOrder<Event> = readonly Event[] | "none" | "unknown";

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
export function orderThatFits<Event extends Spanned>(
  before: readonly Event[],
  events: readonly Event[],
  newPlayer: () => Player<Event>,
  effort: Effort,
): FoundOrder<Event> {
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
  ): FoundOrder<Event> => {
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

/** The fewest of these events of which the last still fails: drops what it can, long runs first. */
export function fewest<Event>(
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
