/** One of several runs that share the work: `--shard 2/3` is the second of three. */
export interface Shard {
  /** From 1 to `of`. */
  readonly index: number;
  readonly of: number;
}

/** Most parts into which a run can be split: far more than jobs that anyone starts. */
const MOST = 999;

/** Reads `I/N`. @returns undefined where the text is none, or I is not one of 1 to N */
export function parseShard(text: string): Shard | undefined {
  const match = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text);
  const [index, of] = [Number(match?.[1]), Number(match?.[2])];
  return match !== null && index <= of && of <= MOST ? { index, of } : undefined;
}

/** Whether the item at this place of a list (from 0) is the shard's: items are dealt out in turn, like cards. */
export function isOfShard(place: number, { index, of }: Shard): boolean {
  return place % of === index - 1;
}

/** A stretch of a numbered sequence: so many, beginning at `from`. */
export interface Stretch {
  readonly from: number;
  readonly count: number;
}

/**
 * The stretch of a part of so many things that are tried one after the other. The stretches of all parts, in their
 * order, are the whole: what fails first in the first shard that fails is what would have failed first in one run.
 */
export function stretchOf(count: number, { index, of }: Shard): Stretch {
  const from = Math.floor((count * (index - 1)) / of);
  return { from, count: Math.floor((count * index) / of) - from };
}
