import { LIFETIME_MS } from "../operations.ts";
import { MASKED } from "../traffic/secret-masks.ts";
import { Known } from "./known.ts";
import type { SeenExchange } from "./seen.ts";

/** Two sessions of one creator with two bearers, of which nothing shows yet that the first lived when the second began. */
interface Pair {
  readonly first: SeenExchange;
  readonly second: SeenExchange;
}

/** Pairs that are kept. */
const MOST_PAIRS = 100;

/**
 * What a recording shows of how a service gives bearers. A creator's later session may have the bearer of an earlier one
 * (BEARER-PER-SESSION): whoever did not see a sign-in cannot say that a bearer is over, until the traffic rules that out.
 */
export class BearerHabit {
  readonly #last = new Known<SeenExchange>();
  #pairs: Pair[] = [];
  #same = false;
  #differ = false;
  #differInOneRun = false;

  /** Whether a creator may be given the bearer again that an earlier session of the same run has. */
  get mayRecur(): boolean {
    return this.#same || !this.#differInOneRun;
  }

  /** Whether a bearer may be the same after a restart, as one is that hangs on its creator alone. */
  get mayOutliveRestart(): boolean {
    return this.#same || !this.#differ;
  }

  /**
   * Takes note of a session that was opened.
   * @param isAgain whether its bearer is that of an earlier session, the last one or any before
   */
  opened(creator: string | undefined, seen: SeenExchange, isAgain: boolean): void {
    this.#same ||= isAgain;
    if (creator === undefined) return;
    const first = this.#last.get(creator);
    this.#last.set(creator, seen, seen.endsMs);
    if (isAgain || first === undefined || mayBeMasksOfOne(first, seen)) return;
    this.#differ = true;
    // When the first is over, its bearer need not be given again.
    const apartMs = seen.moment.latest - first.moment.earliest;
    const isShown = this.#differInOneRun || this.#pairs.length >= MOST_PAIRS;
    if (apartMs < LIFETIME_MS.session && !isShown) this.#pairs.push({ first, second: seen });
  }

  /** Takes note of a build that a session served: from its begin to here the service was not restarted. */
  served(opened: SeenExchange, build: SeenExchange): void {
    if (this.#differInOneRun) return;
    this.#differInOneRun = this.#pairs.some(
      ({ first, second }) =>
        (opened === first || opened.endsMs < first.beginsMs) && second.endsMs < build.beginsMs,
    );
    if (this.#differInOneRun) this.#pairs = [];
  }

  /** After a restart a service may give other bearers. */
  restarted(): void {
    this.#pairs = [];
  }

  /** Forgets what came before a moment. */
  forget(beforeMs: number): void {
    this.#last.forget(beforeMs);
    this.#pairs = this.#pairs.filter(({ first }) => first.endsMs >= beforeMs);
  }
}

/** Whether two bearers may be one: each who records has masks of his own. */
function mayBeMasksOfOne(one: SeenExchange, other: SeenExchange): boolean {
  const isMasked = [one, other].some(({ exchange }) => String(exchange.body["bearer"]).startsWith(MASKED));
  return isMasked && one.source.file !== other.source.file;
}
