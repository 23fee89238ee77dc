import { plain } from "../../plain-text.ts";
import { hanging } from "../../reports/some-of.ts";
import type { LastRun } from "../last-run.ts";

/** Groups that are named before the rest is counted. */
const SHOWN = 6;
/** Columns before what is named. */
const NAMED = 9;

/** What became other from one run to the next. */
export interface Change {
  /** Ids of what failed and no longer does. */
  readonly mended: readonly string[];
  /** Ids of what fails now and did not. */
  readonly broke: readonly string[];
}

/** What became other. @param before what failed at last; undefined where nothing is known of it */
export function changeOf(
  before: Pick<LastRun, "failed"> | undefined,
  after: Pick<LastRun, "failed">,
): Change {
  if (before === undefined) return { mended: [], broke: [] };
  const [was, is] = [new Set(before.failed), new Set(after.failed)];
  return {
    mended: before.failed.filter((id) => !is.has(id)),
    broke: after.failed.filter((id) => !was.has(id)),
  };
}

/** The same in words, those of one vector as one; empty where nothing changed. */
export function changeText({ mended, broke }: Change, width: number): string {
  return [namedText("mended", mended, width), namedText("broke", broke, width)]
    .filter((text) => text !== "")
    .join("\n");
}

function namedText(word: string, ids: readonly string[], width: number): string {
  if (ids.length === 0) return "";
  const groups = grouped(ids);
  const named = groups.slice(0, SHOWN).map(({ name, count }) => (count === 1 ? name : `${name} (${count})`));
  const rest = groups.slice(SHOWN).reduce((sum, { count }) => sum + count, 0);
  const text = `${ids.length}: ${named.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
  return word.padEnd(NAMED) + hanging(text, width, NAMED);
}

/** Cases of one vector under its name. */
function grouped(ids: readonly string[]): readonly { readonly name: string; readonly count: number }[] {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const vector = id.split("/").slice(0, 2).join("/");
    groups.set(vector, [...(groups.get(vector) ?? []), id]);
  }
  return [...groups].map(([vector, [first = vector, ...others]]) => ({
    // What is remembered stands in a file, which anybody may have written.
    name: plain(others.length === 0 ? first : vector),
    count: others.length + 1,
  }));
}
