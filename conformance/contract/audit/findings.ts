import type { Contradiction } from "../../engine/audit/partition.ts";
import type { Seen, SeenExchange } from "./seen.ts";

/** An exchange that violates the contract, with the exchanges that show it. */
export interface Finding extends Contradiction {
  readonly seen: SeenExchange;
  /** In order; the exchange itself is the last. */
  readonly because: readonly Seen[];
  /** Whether it is a finding only because the recording is complete. */
  readonly byAbsence: boolean;
  /** Creator of the challenge, session or draft, where known. */
  readonly creator: string | undefined;
}

/** Limits of timelines: creators, entries before each finding, and entries in all. */
const MOST_CREATORS = 20;
const MOST_BEFORE = 20;
const MOST_ENTRIES = 60;

/** Timelines of the creators whom findings are about. */
export class Timelines {
  readonly #seen = new Map<string, Set<Seen>>();

  /** @param history exchanges of the creator so far; the finding is the last */
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

/** A finding without its creator. */
export type NewFinding = Omit<Finding, "creator">;

/** Access to the history around findings. */
interface FindingsOptions {
  /** Name of the partition of a request: a creator, or a name with a space where the creator is unknown. */
  readonly nameOf: (request: SeenExchange["exchange"]["request"]) => string;
  readonly historyOf: (name: string) => readonly Seen[];
  /** Called with each finding at once. */
  readonly onFinding: ((finding: Finding) => void) | undefined;
}

/** Collects findings, and timelines of the creators whom they are about. */
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
