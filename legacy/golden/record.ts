import {
  type Adapter,
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  NotTransportable,
} from "../adapters/adapter.ts";
import { responseSchemas } from "../contract/judge/response-schemas.ts";
import { keyPairOf, secretOf } from "../contract/keys/key-pair.ts";
import type { ProofSpec } from "../contract/keys/proof.ts";
import { LIFETIME_MS, operationOf } from "../contract/operations.ts";
import { LaunchWorld } from "../contract/verbs/launch-world.ts";
import type { Contract, Stage, WorldHost } from "../engine/contract.ts";
import { DataError } from "../engine/data/data-error.ts";
import { type SceneClock, virtualClock, wallClock } from "../engine/play/clock.ts";
import type { Exchange } from "../engine/play/exchange.ts";
import { playSteps } from "../engine/play/play-step.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { Scene } from "../engine/play/scene.ts";
import { nextStart, startTime } from "../engine/play/start-times.ts";
import { BadStep, NotApplicable, StepFailed, StoreFull, TooLate } from "../engine/play/step-ends.ts";
import { plan } from "../engine/run/plan.ts";
import { type Salt, setStage } from "../engine/run/stage.ts";
import type { Expectation, Step, Vector } from "../engine/vectors/vector.ts";
import { jsonDifferences } from "./differences.ts";
import {
  type DemoKey,
  type ExchangeStep,
  exchangesOf,
  type Fixture,
  GOLDEN_VERSION,
  type GoldenSet,
  type GoldenStep,
  type MadeProof,
  type Omission,
} from "./fixture.ts";
import { matchersFor } from "./matchers.ts";
import { goldenRequest, httpForm, substitutionsIn } from "./requests.ts";

/** The world of a flow, which remembers every proof and every key pair. */
class GoldenWorld extends LaunchWorld {
  /** By `signatureBase64`. */
  readonly proofs = new Map<string, MadeProof>();
  readonly #people = new Map<string, string>();
  readonly #mints = new Set<string>();
  #keys = 0;

  override keyPair(name: string): ReturnType<LaunchWorld["keyPair"]> {
    const pair = super.keyPair(name);
    this.#people.set(pair.address, name);
    return pair;
  }

  override freshKey(): string {
    if (!this.host.info.capabilities.restart) return super.freshKey();
    this.#keys += 1;
    return `demo-key-${String(this.#keys).padStart(4, "0")}`;
  }

  override launchMembers(
    ...given: Parameters<LaunchWorld["launchMembers"]>
  ): ReturnType<LaunchWorld["launchMembers"]> {
    const members = super.launchMembers(...given);
    this.#mints.add(String(members["mint"]));
    return members;
  }

  override proof(spec: Omit<ProofSpec, "signedBytes" | "bytes">): string {
    const text = super.proof(spec);
    const { signer, ...rest } = spec;
    this.proofs.set(text, { ...rest, by: this.#people.get(signer.address) ?? signer.address });
    return text;
  }

  /** The key pairs that took part, by name. */
  demoKeys(): Readonly<Record<string, DemoKey>> {
    const { label, name: scene } = this.host;
    const people = [...this.#people.values()].map((name) => [name, `${label} ${scene} ${name}`] as const);
    const mints = [...this.#mints].map((_, number) => [`mint ${number}`, `${label} mint ${number}`] as const);
    const keys = [...people, ...mints].map(([name, label]) => [name, demoKey(label)] as const);
    // On a shared service each flow has mints of its own, which are left out: nobody signs with them.
    return Object.fromEntries(
      keys.filter(([name, { publicKey }]) => !name.startsWith("mint ") || this.#mints.has(publicKey)),
    );
  }
}

function demoKey(label: string): DemoKey {
  const { address } = keyPairOf(label);
  return {
    label: `launch-draft-conformance ${label}`,
    publicKey: address,
    privateKeyHex: secretOf(label).toString("hex"),
  };
}

/** What came of a flow: its transcript, or why there is none. `broken` tells an answer that breaks the contract. */
type Recording =
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
async function recordFlow(
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

/** What the recording of an implementation needs. */
export interface RecordOptions {
  readonly contract: Contract;
  readonly flows: readonly Vector[];
  readonly adapter: Adapter;
  readonly time: RealTime;
  /** Whether two recordings are known to be the same, so that one is enough. */
  readonly deterministic: boolean;
  /** Counts where the service may remember earlier recordings. */
  readonly salt?: Salt;
}

/** After so long nothing of an earlier flow is alive. */
const LONGEST_LIFETIME_MS = LIFETIME_MS.session + 60_000;
/** The demo keys are derived from it. */
const SEED = 1;

/**
 * Leads an implementation through every flow, twice where it can be restarted: what differs between the two times is
 * marked as different in every run. Where it cannot, everything may be.
 * @throws {AdapterFault} where the implementation cannot be reached, or breaks
 */
export async function recordSet(options: RecordOptions): Promise<GoldenSet> {
  const { adapter, time } = options;
  const connection = await adapter.connect(options.contract);
  try {
    const { info } = connection;
    const stage = setStage(info, { ...options, seed: SEED });
    const startMs = info.capabilities.clock === "virtual" ? startTime("between-seconds", SEED) : time.now();
    await connection.start(startMs);
    // No flow is recorded twice, so all that one may depend on is measured before.
    const nowMs = await stage.measured.measure("capacity", connection, startMs);
    const recordings = await recordOnce(options, stage, connection, nowMs);
    const again = options.deterministic
      ? recordings
      : info.capabilities.restart
        ? await recordOnce(options, stage, connection, nowMs)
        : undefined;
    const fixtures = recordings.flatMap((recording) => ("fixture" in recording ? [recording.fixture] : []));
    const differed = again === undefined ? () => true : differencesOf(fixtures, again);
    const left = recordings.flatMap((recording) => ("reason" in recording ? [recording] : []));
    const omission = ({ name, reason }: Omission): Omission => ({ name, reason });
    return {
      info,
      fixtures: fixtures.map((fixture) => withMatchers(fixture, differed)),
      omitted: left.filter(({ broken }) => !broken).map(omission),
      broken: left.filter(({ broken }) => broken).map(omission),
    };
  } finally {
    await connection.close();
  }
}

async function recordOnce(
  { flows, time }: RecordOptions,
  stage: Stage,
  connection: Connection,
  nowMs: number,
): Promise<readonly Recording[]> {
  const clocks = clockSource(connection, nowMs, time);
  const recordings: Recording[] = [];
  for (const { vector, skip: lack } of plan(flows, connection.info, Number.POSITIVE_INFINITY)) {
    const skip = lack?.reason ?? reasonNotToWait(vector, connection.info);
    if (skip === undefined)
      recordings.push(await recordFlow(vector, stage, connection, await clocks(vector)));
    else recordings.push({ name: nameOf(vector), reason: skip, broken: false });
  }
  return recordings;
}

/** On a clock that nobody can move, no fixture is worth the wait. */
function reasonNotToWait({ totalWaitMs }: Vector, { capabilities }: ImplementationInfo): string | undefined {
  if (capabilities.clock === "virtual" || totalWaitMs === 0) return undefined;
  return `takes ${totalWaitMs / 1000} s on a clock that cannot be moved (capability clock: virtual)`;
}

/** Gives each flow a clock, on a service of its own or, where there is but one, when everything earlier has expired. */
function clockSource(
  connection: Connection,
  readingMs: number,
  time: RealTime,
): (flow: Vector) => Promise<SceneClock> {
  const { clock, restart } = connection.info.capabilities;
  const shared = virtualClock(connection, readingMs);
  return async (flow) => {
    const startMs = clock === "virtual" ? startTime(flow.clock, SEED) : time.now();
    if (restart) await connection.start(startMs);
    if (clock === "real") return wallClock(time);
    if (restart) return virtualClock(connection, startMs);
    const over = shared.now() + LONGEST_LIFETIME_MS;
    await shared.pass((nextStart(flow.clock, over) ?? over) - shared.now());
    return shared;
  };
}

/** Whether a member of an operation's answers was another one in the second recording, wherever that was. */
function differencesOf(
  fixtures: readonly Fixture[],
  again: readonly Recording[],
): (operation: string, pointer: string) => boolean {
  const seen = new Set<string>();
  const second = new Map(again.flatMap((one) => ("fixture" in one ? [[one.fixture.name, one.fixture]] : [])));
  for (const fixture of fixtures) {
    const other = second.get(fixture.name);
    for (const [index, { request, response }] of exchangesOf(fixture).entries()) {
      const body = other === undefined ? undefined : exchangesOf(other)[index]?.response.body;
      for (const { pointer } of jsonDifferences(response.body, body)) {
        seen.add(`${operationOf(request.method, request.path)} ${pointer}`);
      }
    }
  }
  return (operation, pointer) =>
    [...seen].some((place) => `${place}/`.startsWith(`${operation} ${pointer}/`));
}

function withMatchers(fixture: Fixture, differed: (operation: string, pointer: string) => boolean): Fixture {
  const steps = fixture.steps.map((step) => {
    if (step.kind !== "exchange") return step;
    const operation = operationOf(step.request.method, step.request.path);
    const matchers = matchersFor(operation, step.response, responseSchemas().fields(operation), (pointer) =>
      differed(operation, pointer),
    );
    return matchers.length === 0 ? step : { ...step, matchers };
  });
  return { ...fixture, steps };
}
