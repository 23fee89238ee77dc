import { AdapterFault, type Connection, NotTransportable } from "../adapters/adapter.ts";
import type { Stage, WorldHost } from "../engine/contract.ts";
import { DataError } from "../engine/data/data-error.ts";
import type { SceneClock } from "../engine/play/clock.ts";
import type { Exchange } from "../engine/play/exchange.ts";
import { playSteps } from "../engine/play/play-step.ts";
import { Scene } from "../engine/play/scene.ts";
import { BadStep, NotApplicable, StepFailed, StoreFull, TooLate } from "../engine/play/step-ends.ts";
import type { Expectation, Step, Vector } from "../engine/vectors/vector.ts";
import type { ExchangeStep, Fixture, GoldenStep } from "./fixture.ts";
import { GoldenWorld } from "./golden-world.ts";
import { goldenRequest, httpForm } from "./http-form.ts";
import { substitutionsIn } from "./substitutions.ts";
import { GOLDEN_VERSION } from "./version.ts";

/** What came of a flow: its transcript, or why there is none. `broken` tells an answer that breaks the contract. */
export type Recording =
  | { readonly fixture: Fixture }
  | { readonly name: string; readonly reason: string; readonly broken: boolean };

const NOTICE = "The keys are published and derived from their labels. They are for demonstration alone.";

/** Every flow has the same actors, unless it shares a service with the others. */
const SHARED_CAST = "golden";

/** The name of a flow, which is its file's too. */
export function nameOf({ id }: Vector): string {
  return id.split("/").slice(1).join("-");
}

/**
 * Plays one flow against a service that was just started, and writes down what was said.
 * @throws {AdapterFault} where the implementation or the line to it breaks
 */
export async function recordFlow(
  flow: Vector,
  stage: Stage,
  connection: Connection,
  clock: SceneClock,
): Promise<Recording> {
  const id = connection.info.capabilities.restart ? SHARED_CAST : flow.id;
  const contract = { ...stage.contract, world: (host: WorldHost) => new GoldenWorld(host) };
  const scene = new Scene({ ...flow, id }, { ...stage, contract }, connection, clock);
  const golden = scene.world as GoldenWorld;
  const transcript = new Transcript(scene, golden);
  const name = nameOf(flow);
  try {
    await transcript.record(flow.steps);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return { name, reason: complaint(scene) ?? reason, broken: error instanceof StepFailed };
  }
  const broken = complaint(scene);
  if (broken !== undefined) return { name, reason: broken, broken: true };
  const { title, rules } = flow;
  const { steps } = transcript;
  return {
    fixture: {
      contract: contract.id,
      version: GOLDEN_VERSION,
      name,
      title,
      rules,
      notice: NOTICE,
      keys: golden.demoKeys(),
      steps,
    },
  };
}

/** The steps of a flow as they were played. */
class Transcript {
  readonly steps: GoldenStep[] = [];
  readonly #scene: Scene;
  readonly #world: GoldenWorld;
  /** Numbers of the steps to which the flow gave names. */
  readonly #named = new Map<string, number>();
  #taken = 0;

  constructor(scene: Scene, world: GoldenWorld) {
    this.#scene = scene;
    this.#world = world;
  }

  async record(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#record(step);
  }

  async #record(step: Step): Promise<void> {
    const scene = this.#scene;
    if (step.kind === "repeat") {
      const times = Number(scene.fill(step.times));
      for (scene.index = 0; scene.index < times; scene.index++) await this.record(step.steps);
      return;
    }
    const nowMs = scene.clock.now();
    await playSteps(scene, [step], "");
    if (step.kind === "advance") {
      this.steps.push({ kind: "advance", step: this.#next, nowMs, ms: scene.clock.now() - nowMs });
    }
    if (step.kind === "restart") this.steps.push({ kind: "restart", step: this.#next, nowMs });
    this.#takeExchanges(step.expect);
    if (step.as !== undefined) this.#named.set(`$${step.as}`, this.steps.length);
  }

  /** Of the exchanges of one step the last is its own; those before prepared it, and hold no expectation. */
  #takeExchanges(expect: Expectation | undefined): void {
    const { exchanges } = this.#scene;
    for (; this.#taken < exchanges.length; this.#taken++) {
      const one = exchanges[this.#taken];
      const own = this.#taken === exchanges.length - 1;
      if (one !== undefined) this.steps.push(this.#exchangeStep(one, own ? expect : undefined));
    }
  }

  #exchangeStep(exchange: Exchange, expect: Expectation | undefined): ExchangeStep {
    const { proofs, host } = this.#world;
    const response = { status: exchange.status ?? 0, body: exchange.body };
    const request = goldenRequest(exchange.request);
    const earlier = this.steps.filter((step) => step.kind === "exchange");
    const substitutions = substitutionsIn(request, earlier, proofs, host.info.facts);
    const sameAs = expect?.sameAs === undefined ? undefined : this.#named.get(String(expect.sameAs));
    return {
      kind: "exchange",
      step: this.#next,
      nowMs: exchange.sentAt,
      request,
      response,
      http: httpForm(exchange.request, response),
      ...(expect?.open === undefined
        ? {}
        : { accepts: expect.accepted.map(({ status, codes }) => ({ status, codes })), open: expect.open }),
      ...(sameAs === undefined ? {} : { sameAs }),
      ...(substitutions.length === 0 ? {} : { substitutions }),
    };
  }

  get #next(): number {
    return this.steps.length + 1;
  }
}

/** What an answer broke, if one did: a fixture shows right answers only. */
function complaint({ failures, incidental }: Scene): string | undefined {
  const [failure] = [...failures, ...incidental];
  if (failure === undefined) return undefined;
  return `${failure.rule} is broken: expected ${failure.expected}, got ${failure.got}`;
}

/** Why a flow ended early; undefined where it is a fault of the kit itself. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AdapterFault) return error.fatal ? undefined : error.message;
  const known = [StepFailed, StoreFull, TooLate, NotApplicable, NotTransportable, DataError, BadStep];
  return known.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
}
