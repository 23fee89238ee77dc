import { styleText } from "node:util";
import { plain, plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { errorsText, failuresText } from "../../reports/console-failures.ts";
import { hanging } from "../../reports/text-layout.ts";
import { type ReportContext, type ReportView, viewOf } from "../../reports/view.ts";
import { durationText } from "../../reports/words.ts";
import type { LastRun } from "../last-run.ts";

/** As much of the failures as leaves the verdict on the screen. */
const SHOWN = { whole: 1, asLine: 5 };

/** What a watched run came to, on one screen: what changed, the first failure whole, the verdict. */
export function watchText(report: GatedReport, change: Change, context: ReportContext): string {
  const view = viewOf(report, context);
  const failures = failuresText(view, SHOWN);
  return `${[
    changeText(change, context.width),
    failures === "" ? errorsText(view) : failures,
    view.policies.map(({ text }) => text).join("\n"),
    verdictText(view),
  ]
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function verdictText({ report, verdict, kept, exitNote, totals, color }: ReportView): string {
  const headline = color ? styleText(["bold", report.exitStatus === 0 ? "green" : "red"], verdict) : verdict;
  return `${headline}: ${kept}${exitNote}\n${totals}; ${durationText(report)}`;
}

/** Which files were saved, in a line. */
export function savedText(files: readonly string[], width: number): string {
  const [first = "", ...others] = files;
  return plainLine(`${first}${others.length === 0 ? "" : ` and ${others.length} more`} saved`, width);
}

/** Groups that are named before the rest is counted. */
const SHOWN_GROUPS = 6;
/** Columns before what is named. */
const NAMED = 9;

/** What changed from one run to the next. */
export interface Change {
  /** Ids of what failed and no longer does. */
  readonly mended: readonly string[];
  /** Ids of what fails now and did not. */
  readonly broke: readonly string[];
}

/** What changed. @param before what failed at last; undefined where nothing is known of it */
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
  const named = groups
    .slice(0, SHOWN_GROUPS)
    .map(({ name, count }) => (count === 1 ? name : `${name} (${count})`));
  const rest = groups.slice(SHOWN_GROUPS).reduce((sum, { count }) => sum + count, 0);
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
