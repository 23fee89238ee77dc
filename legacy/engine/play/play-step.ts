import type { ServiceRequest } from "../../adapters/adapter.ts";
import { formatOutcome, formatOutcomes, matchesOutcome, type Outcome } from "../outcome.ts";
import type {
  AdvanceStep,
  ClassifyStep,
  CompareStep,
  CustomStep,
  Expectation,
  Fields,
  OperationStep,
  RepeatStep,
  Step,
  Tally,
  Template,
  TogetherStep,
} from "../vectors/vector.ts";
import { waitFor } from "./clock.ts";
import { compareAnswer, sameJson } from "./compare.ts";
import type { Exchange, StepPlace } from "./exchange.ts";
import { show } from "./judgement.ts";
import type { Scene } from "./scene.ts";
import { NotApplicable, StepFailed } from "./step-ends.ts";
import { endUnmet } from "./unmet.ts";

/** Plays steps in order. Throws {@link StepFailed} at the first that fails. */
export async function playSteps(scene: Scene, steps: readonly Step[], prefix: string): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await playStep(scene, step, { step: `${prefix}${index + 1}`, place: step.place });
  }
}

/** Plays one step. Rejects with {@link StepFailed} where it fails. */
export function playStep(scene: Scene, step: Step, at: StepPlace): Promise<void> {
  scene.sending = step.kind === "operation" && step.expect === undefined ? "preparing" : "asked";
  switch (step.kind) {
    case "operation":
      return playOperation(scene, step, at);
    case "advance":
      return playAdvance(scene, step);
    case "restart":
      return scene.restart();
    case "repeat":
      return playRepeat(scene, step, at);
    case "together":
      return playTogether(scene, step, at);
    case "custom":
      return playCustom(scene, step, at);
    case "compare":
      return playCompare(scene, step, at);
    case "classify":
      return playClassify(scene, step);
  }
}

async function playAdvance(scene: Scene, step: AdvanceStep): Promise<void> {
  const { clock } = scene;
  const advance = filledAdvance(scene, step.advance);
  const momentOf = (name: string) => scene.captured(name);
  const wait = waitFor(advance, clock, scene.plannedMs, () => scene.timekeeping, momentOf);
  await clock.pass(wait.waitMs, whatFor(scene, advance));
  scene.plannedMs = wait.plannedMs;
}

/** What the vector waits for, in words, after "waiting". */
function whatFor({ vector, captures }: Scene, advance: Template): string {
  if (typeof advance === "string") return `for ${advance} to pass (${vector.id})`;
  const { since, ...form } = (advance ?? {}) as Fields;
  const operation = captures.get(String(since).replace(/^\$/, ""))?.operation ?? "now";
  const [[how, duration] = ["at", ""]] = Object.entries(form);
  return `until ${how.replace("-", " ")} ${String(duration)} since ${operation} (${vector.id})`;
}

/** Durations may come from a row of `cases`; `since` names an exchange and stays a name. */
function filledAdvance(scene: Scene, advance: Template): Template {
  if (advance === null || typeof advance !== "object" || !("since" in advance)) return scene.fill(advance);
  const { since, ...durations } = advance as Fields;
  return { ...(scene.fill(durations) as Fields), since: since ?? null };
}

async function playOperation(scene: Scene, step: OperationStep, at: StepPlace): Promise<void> {
  const exchange = await scene.world.perform(step, at);
  if (step.as !== undefined) scene.captures.set(step.as, exchange);
  if (step.expect === undefined) scene.expectSuccess(exchange, at);
  else expectAnswer(scene, step, step.expect, exchange, at);
}

async function playCustom(scene: Scene, step: CustomStep, at: StepPlace): Promise<void> {
  const exchange = await scene.world.play(step, at);
  if (step.as !== undefined && exchange !== undefined) scene.captures.set(step.as, exchange);
}

function expectAnswer(
  scene: Scene,
  step: OperationStep,
  expect: Expectation,
  exchange: Exchange,
  at: StepPlace,
): void {
  if (expect.anything) return;
  const { operations } = scene.stage.contract;
  const rules = step.rules ?? scene.vector.rules;
  const accepted = expect.accepted.find((outcome) => isOutcome(scene, outcome, exchange));
  if (accepted === undefined && scene.world.mayStandIn?.(exchange) === true) {
    endUnless(scene, expect, exchange);
    return;
  }
  if (accepted === undefined) {
    endUnmet(scene, at, rules, exchange, {
      message: scene.vector.title,
      expected: formatOutcomes(expect.accepted),
      got: scene.outcome(exchange),
      accepted: expect.accepted,
    });
  }
  if (exchange.status === 200) scene.requireShape(exchange);
  if (expect.open !== undefined && accepted.reading !== undefined) {
    scene.observe({ point: expect.open, reading: accepted.reading });
  }
  endUnless(scene, expect, exchange);
  if (expect.body === undefined && expect.sameAs === undefined) return;
  const body = Object.entries(expect.body ?? {}).map(
    ([path, template]) => [path, scene.fill(template)] as const,
  );
  const same = expect.sameAs === undefined ? undefined : scene.captured(expect.sameAs);
  const found = compareAnswer(exchange, body, same, operations);
  if (found.length === 0) {
    const repeated = same !== undefined && exchange.status === 200;
    for (const seen of repeated ? operations.observeRepeat(same, exchange) : []) scene.observe(seen);
    return;
  }
  // What the judge has said of this answer already, by the field's own rule, is not said again by all of the vector's.
  const judged = scene.failures.filter(({ step: earlier }) => earlier === at.step);
  const told = new Set(judged.flatMap(({ differences }) => differences.map(({ path }) => path)));
  const differences = found.filter(({ path }) => !told.has(path));
  if (differences.length === 0) throw new StepFailed(scene.vector.title);
  const known = same === undefined ? ruleAlreadyBroken(scene, at, differences) : undefined;
  const blamed = known === undefined ? rules : [known, ...rules];
  endUnmet(scene, at, blamed, exchange, {
    message: scene.vector.title,
    expected: differences.map(({ path, expected }) => `${path}: ${expected}`).join("; "),
    got: differences.map(({ path, got }) => `${path}: ${got}`).join("; "),
    differences,
  });
}

/**
 * What follows may hang on which of the answers it was that the contract leaves to the service.
 * @throws {NotApplicable} where it was another
 */
function endUnless(scene: Scene, { endsUnless }: Expectation, exchange: Exchange): void {
  if (endsUnless === undefined || isOutcome(scene, endsUnless, exchange)) return;
  const [wanted, got] = [formatOutcome(endsUnless), scene.outcome(exchange)];
  throw new NotApplicable(`it goes on where the answer is ${wanted}, and it was ${got}, as it may be`);
}

/** The rule of its own that a member of this very answer was found to break, where that is what differs. */
function ruleAlreadyBroken(
  { incidental }: Scene,
  { step }: StepPlace,
  differences: readonly { readonly path: string }[],
): string | undefined {
  const paths = new Set(differences.map(({ path }) => path));
  return incidental.find(
    (failure) => failure.step === step && failure.differences.some(({ path }) => paths.has(path)),
  )?.rule;
}

function isOutcome(scene: Scene, outcome: Outcome, { status, body }: Exchange): boolean {
  return matchesOutcome(outcome, status, scene.stage.contract.operations.codeOf(body));
}

async function playRepeat(scene: Scene, step: RepeatStep, at: StepPlace): Promise<void> {
  const times = Number(scene.fill(step.times));
  const before = scene.exchanges.length;
  for (let index = 0; index < times; index++) {
    scene.index = index;
    const prefix = `${at.step}[${index + 1}].`;
    await playSteps(scene, step.steps, prefix);
  }
  const answers = scene.exchanges.slice(before);
  for (const { outcome, count } of step.atMost) {
    const most = Number(scene.fill(count));
    const found = answers.filter((answer) => isOutcome(scene, outcome, answer));
    if (found.length <= most) continue;
    endUnmet(scene, at, step.rules ?? scene.vector.rules, found.at(-1), {
      message: scene.vector.title,
      expected: `at most ${most} × ${formatOutcome(outcome)} in ${times} rounds`,
      got: tallyOf(scene, answers),
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
      requests.push({ step: inner, request: await scene.world.prepare(inner, place), at: place });
    }
  }
  const settled = await Promise.allSettled(
    requests.map(({ request, at: place }) => scene.exchange(request, place)),
  );
  // Nothing ends the step before all are answered, so that no answer is lost.
  const exchanges = settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  for (const [index, exchange] of exchanges.entries()) {
    const inner = requests[index]?.step;
    if (inner?.as !== undefined) scene.captures.set(inner.as, exchange);
  }
  if (step.tallies.some((tally) => tallyHolds(scene, tally, exchanges))) {
    for (const exchange of exchanges) scene.requireShape(exchange);
    return;
  }
  const outcomes = step.tallies.flat();
  const odd = exchanges.find(
    (exchange) => !outcomes.some(({ outcome }) => isOutcome(scene, outcome, exchange)),
  );
  endUnmet(scene, at, step.rules ?? scene.vector.rules, odd ?? exchanges.at(-1), {
    message: scene.vector.title,
    expected: step.tallies
      .map((tally) => tally.map(({ outcome, count }) => `${count} × ${formatOutcome(outcome)}`).join(", "))
      .join("; or "),
    got: tallyOf(scene, exchanges),
  });
}

/** Whether each outcome came so often, and no other. */
function tallyHolds(scene: Scene, tally: Tally, exchanges: readonly Exchange[]): boolean {
  const counts = tally.map(
    ({ outcome }) => exchanges.filter((exchange) => isOutcome(scene, outcome, exchange)).length,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === exchanges.length && tally.every(({ count }, index) => counts[index] === count);
}

function tallyOf(scene: Scene, exchanges: readonly Exchange[]): string {
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const outcome = scene.outcome(exchange);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
}

async function playCompare(scene: Scene, step: CompareStep, at: StepPlace): Promise<void> {
  const value = scene.fill(step.value);
  const other = scene.fill(step.other);
  const holds =
    step.relation === "contains"
      ? typeof value === "string" && typeof other === "string" && value.includes(other)
      : sameJson(value, other) === (step.relation === "equals");
  if (holds) return;
  endUnmet(scene, at, step.rules ?? scene.vector.rules, undefined, {
    message: scene.vector.title,
    expected: comparison(step, other),
    got: show(value),
    differences: [
      {
        path: typeof step.value === "string" ? nameOf(step.value) : "value",
        expected: wanted(step.relation, show(other)),
        got: show(value),
      },
    ],
  });
}

const RELATIONS: Readonly<Record<CompareStep["relation"], string>> = {
  equals: "is the same as",
  "differs-from": "differs from",
  contains: "contains",
};

/** What is compared, by the names that the vector gives it, and what that is to be. */
function comparison(step: CompareStep, other: Template): string {
  const told = show(other);
  const named = nameOf(step.other);
  const asked = `${nameOf(step.value)} ${RELATIONS[step.relation]}`;
  return named === told ? `${asked} ${told}` : `${asked} ${named}, ${told}`;
}

/** What a template stands for, as people read it: `first.bearer` for `$first.bearer`. */
function nameOf(template: Template): string {
  if (typeof template === "string" && /^\$[\w.-]+$/.test(template)) return template.slice(1);
  return Array.isArray(template) ? `[${template.map(nameOf).join(", ")}]` : show(template);
}

/** What a comparison asks for, to be read after "not". */
function wanted(relation: CompareStep["relation"], other: string): string {
  switch (relation) {
    case "equals":
      return other;
    case "differs-from":
      return `anything but ${other}`;
    case "contains":
      return `a text with ${other} in it`;
  }
}

async function playClassify(scene: Scene, step: ClassifyStep): Promise<void> {
  const holds = (when: Fields) =>
    Object.entries(when).every(([key, expected]) => sameJson(scene.fill(`$${key}`), scene.fill(expected)));
  const found = step.readings.find(({ when }) => holds(when));
  if (found !== undefined) scene.observe({ point: step.open, reading: found.reading });
}
