import type { Contradiction } from "../../engine/audit/partition.ts";
import type { Seen, SeenExchange } from "./seen.ts";

/** An exchange that does not keep the contract, with the few that show it. */
export interface Finding extends Contradiction {
  readonly seen: SeenExchange;
  /** In their order, the exchange itself the last. */
  readonly because: readonly Seen[];
  /** Whether it is one only since nothing is missing of what was recorded. */
  readonly byAbsence: boolean;
  /** Whose challenge, session or draft it is about, where that is known. */
  readonly creator: string | undefined;
}

/** Creators of whom a time line is kept, what it has of the time before each finding, and altogether. */
const MOST_CREATORS = 20;
const MOST_BEFORE = 20;
const MOST_ENTRIES = 60;

/** What was seen of creators whom findings are about. */
export class Timelines {
  readonly #seen = new Map<string, Set<Seen>>();

  /** @param history what was seen of the creator so far, the finding at its end */
  add(creator: string, history: readonly Seen[]): void {
    const known = this.#seen.get(creator);
    if (known === undefined && this.#seen.size >= MOST_CREATORS) return;
    const entries = known ?? new Set();
    this.#seen.set(creator, entries);
    for (const seen of history.slice(-1 - MOST_BEFORE)) if (entries.size < MOST_ENTRIES) entries.add(seen);
  }

  /** In the order in which requests began. */
  told(): ReadonlyMap<string, readonly Seen[]> {
    const inOrder = (entries: ReadonlySet<Seen>) => [...entries].sort((a, b) => a.beginsMs - b.beginsMs);
    return new Map([...this.#seen].map(([creator, entries]) => [creator, inOrder(entries)]));
  }
}

/** Findings that are kept. */
const MOST_FINDINGS = 1_000;

/** A finding before it is known whom it is about. */
export type NewFinding = Omit<Finding, "creator">;

/** What a collection of findings must know of the history around them. */
interface FindingsOptions {
  /** Names whom a request is about: a creator, or with a space in it what else is known. */
  readonly nameOf: (request: SeenExchange["exchange"]["request"]) => string;
  readonly historyOf: (name: string) => readonly Seen[];
  /** Told of each finding at once. */
  readonly onFinding: ((finding: Finding) => void) | undefined;
}

/** Collects findings, and what was seen of each creator whom one is about. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #kept: Finding[] = [];
  readonly #timelines = new Timelines();
  #found = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  add(finding: NewFinding): void {
    this.#found += 1;
    const { nameOf, historyOf, onFinding } = this.#options;
    const name = nameOf(finding.seen.exchange.request);
    const whole = { ...finding, creator: name.includes(" ") ? undefined : name };
    if (this.#kept.length < MOST_FINDINGS) this.#kept.push(whole);
    if (whole.creator !== undefined) this.#timelines.add(name, [...historyOf(name), finding.seen]);
    onFinding?.(whole);
  }

  /** All findings as they stand in a report. */
  told(): {
    readonly findings: readonly Finding[];
    readonly found: number;
    readonly timelines: ReadonlyMap<string, readonly Seen[]>;
  } {
    return { findings: this.#kept, found: this.#found, timelines: this.#timelines.told() };
  }
}
