/** What one sample of a side came to. */
export interface Sample {
  /** In the measure's unit of the side: seconds, a rate, bytes. */
  readonly value: number;
  /** Processor time of all that it started, in seconds, where that is known. */
  readonly cpuS?: number;
}

/** One thing that is timed. */
export interface Side {
  readonly name: string;
  /** What its value is in: `s`, `1/s`, `MB`. */
  readonly unit: string;
  sample(): Promise<Sample>;
}

/** A measure, made ready. */
export interface Ready {
  /** In the order in which they take turns. */
  readonly sides: readonly Side[];
  /** The figure that has a bar, of the medians of the sides by their names. */
  figure(medians: Readonly<Record<string, number>>): number;
  /** What else is worth telling, one line each. */
  notes?(): readonly string[];
  close?(): Promise<void> | void;
}

/** Something that is held to a bar. */
export interface Measure {
  readonly id: string;
  readonly title: string;
  /** What the figure is in; nothing for a ratio. */
  readonly unit?: string;
  readonly bar: { readonly atMost: number } | { readonly atLeast: number };
  /** What it takes to keep the bar, and why that is not done: a sentence or more a line. */
  readonly why?: readonly string[];
  /** Whether it takes so long that it is sampled but once. */
  readonly once?: true;
  /** @throws {Error} one line, where something that it needs cannot be had */
  open(): Promise<Ready>;
}

/** A measure that was taken. */
export interface Measured {
  readonly id: string;
  readonly title: string;
  readonly unit?: string;
  readonly bar: Measure["bar"];
  readonly figure?: number;
  readonly holds: boolean;
  readonly sides: readonly {
    readonly name: string;
    readonly unit: string;
    readonly median: number;
    readonly samples: readonly Sample[];
  }[];
  readonly notes: readonly string[];
  /** What it takes to keep the bar, where it is not kept. */
  readonly why?: readonly string[];
  /** Why it could not be taken. */
  readonly fault?: string;
}

/** Takes a measure: all sides in turn, as often as told, so that what else the machine does meets them alike. */
export async function take(measure: Measure, runs: number): Promise<Measured> {
  const { id, title, unit, bar } = measure;
  const told = { id, title, ...(unit === undefined ? {} : { unit }), bar };
  let ready: Ready | undefined;
  try {
    ready = await measure.open();
    const { sides } = ready;
    const samples = sides.map((): Sample[] => []);
    for (let round = 0; round < (measure.once ? 1 : runs); round++)
      for (const [place, side] of sides.entries()) samples[place]?.push(await side.sample());
    const medians = Object.fromEntries(
      sides.map(({ name }, place) => [name, median(samples[place]?.map(({ value }) => value) ?? [])]),
    );
    const figure = ready.figure(medians);
    const holds = "atMost" in bar ? figure <= bar.atMost : figure >= bar.atLeast;
    return {
      ...told,
      figure,
      holds,
      ...(holds || measure.why === undefined ? {} : { why: measure.why }),
      sides: sides.map(({ name, unit: of }, place) => ({
        name,
        unit: of,
        median: medians[name] ?? Number.NaN,
        samples: samples[place] ?? [],
      })),
      notes: ready.notes?.() ?? [],
    };
  } catch (thrown) {
    const [fault = ""] = String(thrown instanceof Error ? thrown.message : thrown).split("\n");
    return { ...told, holds: false, sides: [], notes: [], fault };
  } finally {
    await ready?.close?.();
  }
}

/** The middle value; the mean of the two in the middle where their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The figure that is one side over another. */
export function ratio(of: string, to: string): Ready["figure"] {
  return (medians) => (medians[of] ?? Number.NaN) / (medians[to] ?? Number.NaN);
}
