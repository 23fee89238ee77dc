import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { formatOutcome, type Outcome } from "../../engine/outcome.ts";
import { virtualClock } from "../../engine/play/clock.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { playSteps } from "../../engine/play/play-step.ts";
import { startTime } from "../../engine/play/start-times.ts";
import { NotApplicable } from "../../engine/play/step-ends.ts";
import { CheckedScene, type Recorded } from "../../engine/search/checked-scene.ts";
import { LostTrack, Violated } from "../../engine/search/violation.ts";
import type { OperationStep, Step, TogetherStep, Vector } from "../../engine/vectors/vector.ts";
import { reference } from "../../testing/reference.ts";
import { stageOf } from "../../testing/search/stage.ts";
import { WHOLE } from "../../testing/whole-tests.ts";
import { BUILDS_PER_MINUTE, OUTCOMES } from "../operations.ts";
import { newModel } from "./model.ts";

const SEED = 8;
/** One in so many vectors is in the sample. */
const EVERY = 3;
const { contract, suites } = loadKitData();
/** The model knows what a request says, and nothing of how it is carried. */
const vectors = suites.vectors
  .filter(({ needs }) => !needs.has("http") && !needs.has("in-process"))
  .filter((_, index) => WHOLE || index % EVERY === 0);
const connection = await inProcessAdapter(reference, { name: "reference" }).connect();

describe("the model and the vectors say the same", () => {
  for (const suite of new Set(vectors.map((vector) => vector.suite))) {
    test(suite, async () => {
      const found: string[] = [];
      for (const vector of vectors.filter((candidate) => candidate.suite === suite)) {
        for (const difference of await differences(vector)) found.push(`${vector.id}: ${difference}`);
      }
      assert.deepEqual(found, []);
    });
  }
});

/** Sends what should be in flight together one after the other, so that the model can follow it. */
class OrderlyScene extends CheckedScene {
  #last: Promise<unknown> = Promise.resolve();

  override exchange(...request: Parameters<CheckedScene["exchange"]>): Promise<Exchange> {
    const own = this.#last.then(() => super.exchange(...request));
    this.#last = own.catch(() => {});
    return own;
  }
}

/** Plays a vector on the reference and holds the model's set against each step's expectation. */
async function differences(vector: Vector): Promise<readonly string[]> {
  const startMs = startTime(vector.clock, 1);
  await connection.start(startMs);
  const clock = virtualClock(connection, startMs);
  const scene = new OrderlyScene({ newModel, quick: false }, vector, stageOf(SEED), connection, clock);
  // A vector about advice alone asks for more than the contract does: for one of the answers that it allows.
  const binding = vector.rules.some((id) => contract.rules.get(id)?.level !== "advice");
  let lost = false;
  try {
    await playSteps(scene, vector.steps, "");
  } catch (error) {
    lost = error instanceof LostTrack;
    // What is measured beforehand is no matter of the model.
    if (error instanceof NotApplicable && vector.suite === "lifetimes") return [];
    if (!lost && (binding || error instanceof Violated)) return [String(error)];
  }
  return compare(vector, scene.recorded, { binding, lost });
}

/** What is compared as a whole: an answer, or the answers of one step that counts or accepts them together. */
interface Comparison {
  readonly at: string;
  readonly relation: Relation;
  readonly vector: ReadonlySet<string>;
  readonly model: Set<string>;
}

/**
 * How the two sets of outcomes must stand to each other. Anything but `equal` has a reason that is looked for, and
 * not taken for granted: see {@link relationOf}.
 */
type Relation = "equal" | "vector within model" | "model within vector";

function compare(
  { steps }: Vector,
  recorded: readonly Recorded[],
  { binding, lost }: { readonly binding: boolean; readonly lost: boolean },
): readonly string[] {
  const wholes = new Map<Step, Comparison>();
  const singles: Comparison[] = [];
  let builds = 0;
  for (const { at, expected, exchange } of recorded) {
    const [step, together] = stepAt(steps, at.step);
    const earlierBuilds = builds;
    if (exchange.operation === "build") builds += 1;
    if (step?.kind !== "operation" || (step.verb === "session" && exchange.operation === "challenge"))
      continue;
    const model = eachCode(expected.outcomes);
    const whole = together ?? (isOfRounds(step, at.step) ? step : undefined);
    if (whole === undefined) {
      const vector = accepted(step);
      const relation = LEFT_TO_THE_PROOF.has(step.expect?.open ?? "")
        ? "model within vector"
        : relationOf(vector, expected.points, { binding, earlierBuilds });
      singles.push({ at: at.step, relation, vector, model });
    } else {
      const known = wholes.get(whole);
      for (const outcome of model) known?.model.add(outcome);
      if (known === undefined) {
        const vector = together === undefined ? accepted(step) : counted(together);
        // Where a group may fall out in several ways, one order shows one of them.
        const relation =
          together !== undefined && together.tallies.length > 1 ? "model within vector" : "equal";
        wholes.set(whole, { at: at.step, relation, vector, model });
      }
    }
  }
  // A step whose answers were not all followed is no whole.
  return [...singles, ...(lost ? [] : wholes.values())].flatMap((one) => difference(one) ?? []);
}

/** Why two sets may rightly differ, and which way then. */
function relationOf(
  vector: ReadonlySet<string>,
  points: Recorded["expected"]["points"],
  { binding, earlierBuilds }: { readonly binding: boolean; readonly earlierBuilds: number },
): Relation {
  // Readers understand such a body differently: the model leaves everything open, and stops there.
  if (points[0] === "JSON-DUPLICATE-KEY") return "vector within model";
  // Five builds or more have shown how the limiter of this service counts: that narrows the model's set, and no vector's.
  if (earlierBuilds >= BUILDS_PER_MINUTE && isLimiter(vector)) return "model within vector";
  return binding && !points.includes(PATIENCE) ? "equal" : "vector within model";
}

/** Whoever asks for much may be asked for patience: a vector that meets that is left out, whatever its step expects. */
const PATIENCE = "CROWD-OF-ONE-CREATOR";

/**
 * Where the vector accepts whatever may come, and the model knows more: how an odd proof was answered, and whether the
 * bytes of this one are such that no signer makes them.
 */
const LEFT_TO_THE_PROOF: ReadonlySet<string> = new Set(["UNREDUCED-SCALAR-CONSUMES", "UNREADABLE-SIGNATURE"]);

/** Whether the rounds of a `repeat` are judged alike, though only the later ones of them may be refused. */
function isOfRounds(step: OperationStep, place: string): boolean {
  return place.includes("[") && isLimiter(accepted(step));
}

const LIMITER = eachCode([OUTCOMES.served, OUTCOMES.limited]);

/** Whether a vector leaves it to the limiter, and to nothing else, if a build is served. */
function isLimiter(vector: ReadonlySet<string>): boolean {
  return vector.size === LIMITER.size && [...LIMITER].every((outcome) => vector.has(outcome));
}

function accepted({ expect }: OperationStep): ReadonlySet<string> {
  return eachCode(expect?.accepted ?? [OUTCOMES.served]);
}

/** Whatever comes first, what the model allows in all is what is counted. */
function counted({ tallies }: TogetherStep): ReadonlySet<string> {
  return eachCode(tallies.flat().map(({ outcome }) => outcome));
}

function difference({ at, relation, vector, model }: Comparison): string | undefined {
  const vectorWithin = [...vector].every((outcome) => model.has(outcome));
  const modelWithin = model.size > 0 && [...model].every((outcome) => vector.has(outcome));
  const holds = {
    equal: vectorWithin && modelWithin,
    "vector within model": vectorWithin,
    "model within vector": modelWithin,
  };
  if (holds[relation]) return undefined;
  const [ofVector, ofModel] = [vector, model].map((set) => [...set].sort().join(", "));
  return `step ${at}, ${relation}: the vector says ${ofVector}; the model says ${ofModel}`;
}

/** The step of a place such as `2[6].1`, and the `together` that it is part of; none for what the kit prepared itself. */
function stepAt(
  steps: readonly Step[],
  place: string,
): readonly [step: Step | undefined, together?: TogetherStep | undefined] {
  const [, number, inner] = /^(\d+)(?:\[\d+\]\.(.+))?$/.exec(place) ?? [];
  const step = steps[Number(number) - 1];
  if (inner === undefined || step === undefined || !("steps" in step)) return [step];
  const [found, together] = stepAt(step.steps, inner);
  return [found, step.kind === "together" ? step : together];
}

/** Every status with each of its codes. */
function eachCode(outcomes: readonly Outcome[]): Set<string> {
  return new Set(
    outcomes.flatMap(({ status, codes }) =>
      codes.length === 0
        ? [formatOutcome({ status, codes })]
        : codes.map((code) => formatOutcome({ status, codes: [code] })),
    ),
  );
}
