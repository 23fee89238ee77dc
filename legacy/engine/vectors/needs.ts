import type { Vocabulary } from "../contract.ts";
import { parseDuration } from "./duration.ts";
import type { Need } from "./need.ts";
import { RAW_TEXT_FIELDS } from "./syntax.ts";
import { mentions } from "./template.ts";
import type { ClockStart, Fields, Step, Template } from "./vector.ts";

/** What the steps cannot do without, read off the steps themselves so that no vector can forget to say it. */
export function needsOf(
  steps: readonly Step[],
  row: Fields,
  clock: ClockStart,
  { custom, provided, fieldNeeds }: Vocabulary,
): ReadonlySet<Need> {
  const needs = new Set<Need>();
  // Only a clock that the kit sets can be made to begin at a certain instant.
  if (clock !== "between-seconds") needs.add("virtual-clock");
  for (const step of allSteps(steps)) {
    if (step.kind === "restart") needs.add("restart");
    if (step.kind === "together") needs.add("concurrency");
    if (step.kind === "custom") for (const need of custom.get(step.verb) ?? []) needs.add(need);
    if (step.kind !== "operation") continue;
    if (RAW_TEXT_FIELDS.some((name) => Object.hasOwn(step.fields, name))) needs.add("rawBody");
    for (const name of Object.keys(step.fields)) {
      const need = fieldNeeds?.get(name);
      if (need !== undefined) needs.add(need);
    }
    for (const name of namesIn(step.fields, row)) {
      const fact = provided.get(name);
      if (fact !== undefined) needs.add(fact);
    }
  }
  return needs;
}

/** The names that a template mentions, those in the columns that it reads included. */
function namesIn(template: Template, row: Fields): readonly string[] {
  return mentions(template).flatMap(({ name, path }) =>
    name === "case" ? namesIn(row[path[0] ?? ""] ?? null, row) : [name],
  );
}

/**
 * How much time the steps let pass in all, in ms; 0 where they wait for nothing. What a real clock costs.
 */
export function totalWait(steps: readonly Step[], row: Fields): number {
  const captured = new Map<string, number>();
  const walk = (list: readonly Step[], from: number): number => {
    let now = from;
    for (const step of list) {
      if (step.kind === "advance") now = Math.max(now, moment(step.advance, row, now, captured));
      if (step.kind === "repeat") {
        const times = Number(typeof step.times === "string" ? rowValue(step.times, row) : step.times);
        for (let round = 0; round < times; round++) now = walk(step.steps, now);
      }
      if (step.as !== undefined) captured.set(step.as, now);
    }
    return now;
  };
  return walk(steps, 0);
}

/** The moment that an `advance` leads to. */
function moment(advance: Template, row: Fields, now: number, captured: ReadonlyMap<string, number>): number {
  const since = advance !== null && typeof advance === "object" ? (advance as Fields)["since"] : undefined;
  const start = since === undefined ? now : (captured.get(String(since).slice(1)) ?? now);
  const waits = durationTexts(advance, row).map(({ text }) => parseDuration(text) ?? 0);
  return start + Math.max(0, ...waits);
}

function rowValue(text: string, row: Fields): Template {
  const column = /^\$case\.(.+)$/.exec(text)?.[1];
  return column === undefined ? text : (row[column] ?? 0);
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
