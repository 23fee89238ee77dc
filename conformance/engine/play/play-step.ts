import type { ServiceRequest } from "../../adapters/adapter.ts";
import { flood } from "../../contract/verbs/flood.ts";
import { actorOf, expectSuccess, openSession, requestOf } from "../../contract/verbs/prepare.ts";
import { formatOutcome, formatOutcomes, matchesOutcome } from "../outcome.ts";
import type {
  ClassifyStep,
  CompareStep,
  Fields,
  OperationStep,
  RepeatStep,
  Step,
  Template,
  TogetherStep,
} from "../vectors/vector.ts";
import { waitFor } from "./clock.ts";
import { compareAnswer, retryReading, sameJson } from "./compare.ts";
import type { Exchange } from "./exchange.ts";
import { fail, StepFailed, statusAndCode } from "./fail.ts";
import { show } from "./judgement.ts";
import type { Captured, Scene, StepPlace } from "./scene.ts";

/** Plays steps in order. Throws {@link StepFailed} at the first that fails. */
export async function playSteps(scene: Scene, steps: readonly Step[], prefix: string): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await playStep(scene, step, { step: `${prefix}${index + 1}`, place: step.place });
  }
}

async function playStep(scene: Scene, step: Step, at: StepPlace): Promise<void> {
  switch (step.kind) {
    case "operation":
      return playOperation(scene, step, at);
    case "advance": {
      const { clock, stage } = scene;
      const advance = filledAdvance(scene, step.advance);
      const momentOf = (name: string) => scene.captured(name);
      const wait = waitFor(advance, clock, scene.plannedMs, stage.resolutionMs, momentOf);
      await clock.pass(wait.waitMs);
      scene.plannedMs = wait.plannedMs;
      return;
    }
    case "restart":
      return scene.restart();
    case "repeat":
      return playRepeat(scene, step, at);
    case "together":
      return playTogether(scene, step, at);
    case "flood":
      return flood(scene, step, at);
    case "compare":
      return playCompare(scene, step, at);
    case "classify":
      return playClassify(scene, step);
  }
}

/** Durations may come from a row of `cases`; `since` names an exchange and stays a name. */
function filledAdvance(scene: Scene, advance: Template): Template {
  if (advance === null || typeof advance !== "object" || !("since" in advance)) return scene.fill(advance);
  const { since, ...durations } = advance as Fields;
  return { ...(scene.fill(durations) as Fields), since: since ?? null };
}

async function playOperation(scene: Scene, step: OperationStep, at: StepPlace): Promise<void> {
  const exchange =
    step.verb === "session"
      ? await openSession(scene, String(step.fields["for"]), at)
      : await scene.exchange(await requestOf(scene, step, at), at);
  const actor = actorOf(scene, step);
  const captured: Captured = { ...exchange, ...(actor === undefined ? {} : { actor }) };
  if (step.verb === "verify" && exchange.status === 200 && actor !== undefined) {
    scene.keepBearer(actor, exchange.body["bearer"]);
  }
  if (step.as !== undefined) scene.captures.set(step.as, captured);
  expectAnswer(scene, step, exchange, at);
}

function expectAnswer(scene: Scene, step: OperationStep, exchange: Exchange, at: StepPlace): void {
  const { expect } = step;
  if (expect === undefined) {
    expectSuccess(scene, exchange, at);
    return;
  }
  const rules = step.rules ?? scene.vector.rules;
  const { code } = exchange.body;
  const accepted = expect.accepted.find((outcome) => matchesOutcome(outcome, exchange.status, code));
  if (accepted === undefined) {
    throw fail(scene, at, rules, exchange, {
      message: scene.vector.title,
      expected: formatOutcomes(expect.accepted),
      got: statusAndCode(exchange),
    });
  }
  if (expect.open !== undefined && accepted.reading !== undefined) {
    scene.observations.push({ point: expect.open, reading: accepted.reading });
  }
  const body = Object.entries(expect.body ?? {}).map(
    ([path, template]) => [path, scene.fill(template)] as const,
  );
  const same = expect.sameAs === undefined ? undefined : scene.captured(expect.sameAs);
  // What the judge has said of this answer already, by the field's own rule, is not said again by all of the vector's.
  const judged = scene.failures.filter(({ step: earlier }) => earlier === at.step);
  const told = new Set(judged.flatMap(({ differences }) => differences.map(({ path }) => path)));
  const found = compareAnswer(exchange, body, same, scene.stage.schemas);
  const differences = found.filter(({ path }) => !told.has(path));
  if (found.length === 0) {
    if (same !== undefined && exchange.operation === "build" && exchange.status === 200)
      scene.observations.push({
        point: "RETRY-EXTRA-FIELDS",
        reading: retryReading(same, exchange, scene.stage.schemas),
      });
    return;
  }
  if (differences.length === 0) throw new StepFailed(scene.vector.title);
  throw fail(scene, at, rules, exchange, {
    message: scene.vector.title,
    expected: differences.map(({ path, expected }) => `${path}: ${expected}`).join("; "),
    got: differences.map(({ path, got }) => `${path}: ${got}`).join("; "),
    differences,
  });
}

async function playRepeat(scene: Scene, step: RepeatStep, at: StepPlace): Promise<void> {
  const times = Number(scene.fill(step.times));
  const before = scene.exchanges.length;
  for (let index = 0; index < times; index++) {
    scene.index = index;
    await playSteps(scene, step.steps, `${at.step}[${index + 1}].`);
  }
  const answers = scene.exchanges.slice(before);
  for (const { outcome, count } of step.atMost) {
    const most = Number(scene.fill(count));
    const found = answers.filter(({ status, body }) => matchesOutcome(outcome, status, body["code"]));
    if (found.length <= most) continue;
    throw fail(scene, at, step.rules ?? scene.vector.rules, found.at(-1), {
      message: scene.vector.title,
      expected: `at most ${most} × ${formatOutcome(outcome)} in ${times} rounds`,
      got: tallyOf(answers),
    });
  }
}

/** Sends every request before the first answer is awaited, then counts the outcomes. */
async function playTogether(scene: Scene, step: TogetherStep, at: StepPlace): Promise<void> {
  const requests: {
    readonly step: OperationStep;
    readonly request: ServiceRequest;
    readonly at: StepPlace;
  }[] = [];
  for (let round = 0; round < step.times; round++) {
    scene.index = round;
    for (const [index, inner] of step.steps.entries()) {
      if (inner.kind !== "operation") continue;
      const place = { step: `${at.step}[${round + 1}].${index + 1}`, place: inner.place };
      requests.push({ step: inner, request: await requestOf(scene, inner, place), at: place });
    }
  }
  const exchanges = await Promise.all(
    requests.map(({ request, at: place }) => scene.exchange(request, place)),
  );
  for (const [index, exchange] of exchanges.entries()) {
    const inner = requests[index]?.step;
    if (inner?.as !== undefined) scene.captures.set(inner.as, exchange);
  }
  const counts = step.tally.map(
    ({ outcome }) =>
      exchanges.filter(({ status, body }) => matchesOutcome(outcome, status, body["code"])).length,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === exchanges.length && step.tally.every(({ count }, index) => counts[index] === count)) return;
  const odd = exchanges.find(
    ({ status, body }) => !step.tally.some(({ outcome }) => matchesOutcome(outcome, status, body["code"])),
  );
  throw fail(scene, at, step.rules ?? scene.vector.rules, odd ?? exchanges.at(-1), {
    message: scene.vector.title,
    expected: step.tally.map(({ outcome, count }) => `${count} × ${formatOutcome(outcome)}`).join(", "),
    got: tallyOf(exchanges),
  });
}

function tallyOf(exchanges: readonly Exchange[]): string {
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const outcome = statusAndCode(exchange);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
}

function playCompare(scene: Scene, step: CompareStep, at: StepPlace): void {
  const value = scene.fill(step.value);
  const other = scene.fill(step.other);
  const holds =
    step.relation === "contains"
      ? typeof value === "string" && typeof other === "string" && value.includes(other)
      : sameJson(value, other) === (step.relation === "equals");
  if (holds) return;
  throw fail(scene, at, step.rules ?? scene.vector.rules, undefined, {
    message: scene.vector.title,
    expected: `${show(step.value)} ${step.relation.replace("-", " ")} ${show(other)}`,
    got: show(value),
  });
}

function playClassify(scene: Scene, step: ClassifyStep): void {
  const holds = (when: Fields) =>
    Object.entries(when).every(([key, expected]) => sameJson(scene.fill(`$${key}`), scene.fill(expected)));
  const found = step.readings.find(({ when }) => holds(when));
  if (found !== undefined) scene.observations.push({ point: step.open, reading: found.reading });
}
