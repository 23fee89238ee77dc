import { parseDuration } from "./duration.ts";
import type { Fields, Need, Step, Template } from "./model.ts";
import { mentions } from "./template.ts";

const RAW_TEXT = ["body", "bodyBase64", "spelling", "pad-to"];

/** What the steps cannot do without, read off the steps themselves so that no vector can forget to say it. */
export function needsOf(steps: readonly Step[], row: Fields): ReadonlySet<Need> {
  const needs = new Set<Need>();
  for (const step of allSteps(steps)) {
    if (step.kind === "restart" || step.kind === "flood") needs.add("restart");
    if (step.kind === "together") needs.add("concurrency");
    if (step.kind !== "operation") continue;
    if (RAW_TEXT.some((name) => Object.hasOwn(step.fields, name))) needs.add("rawBody");
    if (mentionsOperatorKey(step.fields, row)) needs.add("operatorKey");
  }
  return needs;
}

function mentionsOperatorKey(template: Template, row: Fields): boolean {
  return mentions(template).some(
    ({ name, path }) =>
      name === "operatorKey" || (name === "case" && mentionsOperatorKey(row[path[0] ?? ""] ?? null, row)),
  );
}

/** The longest single wait among the steps, in ms; 0 where there is none. */
export function longestWait(steps: readonly Step[], row: Fields): number {
  const waits = allSteps(steps).flatMap((step) =>
    step.kind === "advance"
      ? durationTexts(step.advance, row).map(({ text }) => parseDuration(text) ?? 0)
      : [],
  );
  return Math.max(0, ...waits);
}

/** Every step, those inside `repeat` and `together` included. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) =>
    step.kind === "repeat" || step.kind === "together" ? [step, ...allSteps(step.steps)] : [step],
  );
}

/** The texts of an `advance` that stand for durations, with `$case.column` looked up. */
export function durationTexts(
  advance: Template,
  row: Fields,
): readonly { readonly key?: string; readonly text: string }[] {
  if (typeof advance === "string") {
    const column = /^\$case\.(.+)$/.exec(advance)?.[1];
    return column === undefined ? [{ text: advance }] : durationTexts(row[column] ?? null, row);
  }
  return Object.entries((advance ?? {}) as Fields)
    .filter(([key]) => key !== "since")
    .flatMap(([key, value]) => durationTexts(value, row).map(({ text }) => ({ key, text })));
}
