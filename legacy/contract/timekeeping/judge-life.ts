import type { Advice } from "../../engine/play/judgement.ts";
import type { Life } from "../../engine/play/timekeeping.ts";
import { MINUTE_MS } from "../operations.ts";
import { type ClockOfSteps, clockOf, type EndAtPhase } from "./clock-of-steps.ts";
import type { Mortal } from "./mortal.ts";
import { type StatedAt, statedEnd } from "./stated-end.ts";

/** Whether what lingers ends at one instant of every second nobody looks: so much later another may, in ms. */
const LINGERING_STEP_MS = 1000;

/** The life of something that could not be measured: it is held to the millisecond by whatever can be asked of it. */
export function unmeasuredLife({ operation, lifetimeMs }: Mortal): Life {
  return { operation, lifetimeMs, markMs: MINUTE_MS, stepMs: 1, earlyMs: 0, lateMs: 0, advice: [] };
}

/**
 * What the ends that were seen say of a kind of things: by which clock it is kept, or what is wrong with it.
 * @param stated what the answers said of their ends
 */
export function judgeLife(mortal: Mortal, ends: readonly EndAtPhase[], stated: readonly StatedAt[]): Life {
  const { lifetimeMs, operation } = mortal;
  const ownEnd = statedEnd(stated);
  const base = {
    operation,
    lifetimeMs,
    markMs: MINUTE_MS,
    told: toldOf(mortal, ends),
    ...(ownEnd === undefined ? {} : { stated: ownEnd }),
  };
  const clock = clockOf(ends, lifetimeMs);
  if (clock !== undefined) return { ...base, ...clock, advice: adviceOn(mortal, clock) };
  const lateMs = mortal.mayLinger ? lingering(ends, lifetimeMs, ownEnd?.afterMs) : undefined;
  if (lateMs !== undefined)
    return { ...base, stepMs: 1, earlyMs: 0, lateMs, lingers: true, advice: [adviceToEnd(base.told)] };
  return { ...base, stepMs: 1, earlyMs: 0, lateMs: 0, advice: [], wrong: wrongLife(mortal, ends) };
}

/** How long it lives beyond its time, where it may: undefined where it ends too soon, or lives beyond its stated end. */
function lingering(
  ends: readonly EndAtPhase[],
  lifetimeMs: number,
  statedMs: number | undefined,
): number | undefined {
  if (ends.some(({ toMs }) => toMs < lifetimeMs)) return undefined;
  const lastMs = Math.max(...ends.map(({ toMs }) => toMs));
  if (statedMs === undefined) return lastMs - lifetimeMs + LINGERING_STEP_MS;
  const toStated = clockOf(ends, statedMs);
  if (toStated !== undefined) return statedMs - lifetimeMs + toStated.lateMs;
  return lastMs <= statedMs ? lastMs - lifetimeMs + LINGERING_STEP_MS : undefined;
}

function wrongLife({ lifetimeMs }: Mortal, ends: readonly EndAtPhase[]): NonNullable<Life["wrong"]> {
  const early = ends.some(({ toMs }) => toMs < lifetimeMs);
  const late = ends.some(({ fromMs }) => fromMs > lifetimeMs + 1);
  return {
    early,
    late: late || !early,
    expected: `a life of ${seconds(lifetimeMs)}, or one that ends with a step of the service's clock, no more than a second off`,
    got: ends.map((end) => `${livedOf(end)} where it began ${end.phaseMs} ms into a second`).join(", "),
  };
}

function adviceOn({ name }: Mortal, { stepMs, earlyMs }: ClockOfSteps): readonly Advice[] {
  if (stepMs === 1) return [];
  const steps: Advice = { rule: "SERVICE-10", message: `a ${name} lives by a clock of ${seconds(stepMs)}` };
  const early: Advice = {
    rule: "SERVICE-20",
    message: `a ${name} ends up to ${seconds(earlyMs)} before its time, by a clock of ${seconds(stepMs)}`,
  };
  return earlyMs > 0 ? [steps, early] : [steps];
}

function adviceToEnd(told: string): Advice {
  return { rule: "IDEMPOTENCY-40", message: `${told}, rather than the 30 s of the retry window` };
}

function toldOf({ name }: Mortal, ends: readonly EndAtPhase[]): string {
  const lives = [...new Set(ends.map(livedOf))];
  const [only = ""] = lives;
  if (lives.length === 1) return `a ${name} lived ${only}`;
  const sorted = ends.map(({ fromMs }) => fromMs).sort((a, b) => a - b);
  return `a ${name} lived ${seconds(sorted[0] ?? 0)} to ${seconds(sorted.at(-1) ?? 0)}`;
}

function livedOf({ fromMs, toMs }: EndAtPhase): string {
  if (toMs === Number.POSITIVE_INFINITY) return `longer than ${seconds(fromMs - 1)}`;
  return toMs - fromMs > 1 ? `less than ${seconds(toMs)}` : seconds(fromMs);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}
