import type { Stage, Told, World } from "../contract.ts";
import type { Outcome } from "../outcome.ts";
import { type Blame, blame, ruleOfNoAnswer } from "./blame.ts";
import type { SceneClock } from "./clock.ts";
import type { Exchange, StepPlace } from "./exchange.ts";
import { type Advice, show } from "./judgement.ts";
import { lateness, type Timed } from "./lateness.ts";
import type { Failure } from "./result.ts";
import { showRequest, showResponse } from "./show-exchange.ts";
import { StepFailed, StoreFull, TooLate } from "./step-ends.ts";

/** How a step went wrong, in words, with every difference where there are several. */
export interface Unmet extends Told {
  readonly differences?: Failure["differences"];
}

/** The vector in play: what decides on a step that went wrong, and where it is written down. */
export interface UnmetIn {
  readonly stage: Stage;
  /** The rules that the vector speaks for: a step that goes by none of them only leads to what it is about. */
  readonly rules: readonly string[];
  readonly world: Pick<World, "waiver">;
  readonly clock: SceneClock;
  readonly elapsedMs: number;
  readonly timed: readonly Timed[];
  readonly failures: Failure[];
  readonly incidental: readonly Failure[];
  readonly advice: Advice[];
}

/**
 * Ends a step that did not get what it must. Where the implementation may rightly have answered so for want of room or
 * of time, nothing is held against it; where all rules are advice, it is a warning; else it is a failure.
 * @throws {StoreFull | TooLate | StepFailed} always
 */
export function endUnmet(
  scene: UnmetIn,
  at: StepPlace,
  rules: readonly string[],
  exchange: Exchange | undefined,
  unmet: Unmet,
): never {
  const noRoom = exchange === undefined ? undefined : scene.world.waiver(exchange);
  if (noRoom !== undefined) throw new StoreFull(noRoom);
  const late = whyTooLate(scene, exchange, unmet.expected);
  if (late !== undefined) throw new TooLate(late);
  const isAdvice = (rule: string) => scene.stage.contract.rules.get(rule)?.level === "advice";
  if (rules.every(isAdvice)) {
    const message = `${unmet.message}: ${unmet.got}, rather than ${unmet.expected}`;
    scene.advice.push(...rules.map((rule) => ({ rule, message })));
  } else scene.failures.push(failureOf(scene, at, rules, exchange, unmet));
  throw new StepFailed(unmet.message);
}

function failureOf(
  scene: UnmetIn,
  at: StepPlace,
  rules: readonly string[],
  exchange: Exchange | undefined,
  unmet: Unmet,
): Failure {
  const { accepted, ...told } = unmet;
  const { expected, got, differences = [{ path: "status", expected, got }] } = told;
  const noAnswer = ruleOfNoAnswer(scene.incidental);
  const blamed =
    accepted === undefined
      ? { rules: noAnswer === undefined ? rules : [noAnswer, ...rules] }
      : blameFor(scene, at, rules, exchange, accepted);
  return {
    rule: blamed.rules[0] ?? "",
    ...blamed,
    ...told,
    ...at,
    clockMs: scene.elapsedMs,
    ...(exchange === undefined
      ? {}
      : { request: showRequest(exchange.request), response: showResponse(exchange.envelope) }),
    differences,
    ...(rules.some((rule) => scene.rules.includes(rule)) ? {} : { aside: true }),
  };
}

function blameFor(
  { stage, failures, incidental }: UnmetIn,
  { step }: StepPlace,
  rules: readonly string[],
  exchange: Exchange | undefined,
  accepted: readonly Outcome[],
): Blame {
  if (exchange === undefined) return { rules };
  const { operations } = stage.contract;
  return blame(stage.contract, {
    rules,
    accepted,
    status: exchange.status,
    code: operations.codeOf(exchange.body),
    successRule: operations.successRule(exchange.operation),
    judged: [...failures, ...incidental].filter((failure) => failure.step === step),
  });
}

/** Why the answer may be that of another time; only where time cannot be moved. */
function whyTooLate(scene: UnmetIn, exchange: Exchange | undefined, expected: string): string | undefined {
  const { time } = scene.stage.contract;
  if (!scene.clock.real || (exchange !== undefined && !time.isTimely(exchange.status))) return undefined;
  const { periodsMs, marks } = time.hangsOn(expected);
  const markMs = marks ? { markMs: time.markMs } : {};
  return lateness(scene.timed, { periodsMs, ...markMs, toleranceMs: scene.stage.clockToleranceMs });
}

/** What an answer was, in two words. */
export function statusAndCode(
  { status, body, envelope }: Exchange,
  codeOf: (body: Exchange["body"]) => unknown,
): string {
  if (status === undefined) return `no status: ${show(envelope)}`;
  const code = codeOf(body);
  return typeof code === "string" ? `${status} ${show(code).slice(1, -1)}` : String(status);
}
