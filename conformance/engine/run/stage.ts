import {
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  MissingAnswer,
  type ServiceRequest,
} from "../../adapters/adapter.ts";
import { shown } from "../../adapters/one-line.ts";
import type { Contract, Stage } from "../contract.ts";
import type { SceneClock } from "../play/clock.ts";
import { type Exchange, isObject, readEnvelope, type StepPlace } from "../play/exchange.ts";
import type { Line } from "../play/line.ts";
import {
  type Measured,
  PROBE_NAMES,
  type Probe,
  type ProbeName,
  probeId,
  type Room,
  UNLIMITED,
  Unmeasured,
} from "../play/measured.ts";
import type { Failure, Result } from "../play/result.ts";
import { runLabel } from "../play/run-label.ts";
import { Scene } from "../play/scene.ts";
import { startTime } from "../play/start-times.ts";
import { EXACT, type Timekeeping } from "../play/timekeeping.ts";
import type { Vector } from "../vectors/vector.ts";

/** A real clock on another machine may differ from the kit's by this much before a lifetime is called wrong. */
const REAL_CLOCK_TOLERANCE_MS = 5000;

/** A text that sets the people and keys of one run apart from those of others. */
export interface Salt {
  readonly text: string;
  /** Whether the user named it: then it counts for any service. */
  readonly told: boolean;
}

/** What a stage is made of. */
export interface StageGiven extends Pick<Stage, "contract" | "seed"> {
  /** Counts where the service may remember other runs. */
  readonly salt?: Salt;
}

/** The stage of a run, whose service is measured once something depends on it. */
export interface RunStage extends Stage {
  readonly measured: Probes;
}

/**
 * The stage on which a service is judged. Nothing is asked for it. A service that cannot be started anew may have served
 * an earlier run, and remember its people: there the salt counts. Where every service is fresh, the seed alone decides, so
 * that the same seed sends the same to the byte.
 */
export function setStage(info: ImplementationInfo, given: StageGiven): RunStage {
  const { contract, seed } = given;
  const { clock, restart } = info.capabilities;
  const salt = given.salt?.told || !restart ? given.salt?.text : undefined;
  const plain = {
    contract,
    seed,
    ...(salt === undefined ? {} : { salt }),
    clockToleranceMs: clock === "real" ? REAL_CLOCK_TOLERANCE_MS : 0,
  };
  return { ...plain, measured: new Probes(plain, info) };
}

/** A stage for a service on a clock that can be moved, which keeps time to the millisecond and has room: nothing is measured. */
export function plainStage(contract: Contract, seed: number): Stage {
  return { contract, seed, measured: UNLIMITED, clockToleranceMs: 0 };
}

/** The clock of what does not depend on time. */
const STILL: SceneClock = { real: false, now: () => 0, pass: async () => {} };

/** What the probes ask for. */
const TITLES: Readonly<Record<ProbeName, string>> = {
  identity: "whatever is asked to find out who answers is answered as the contract has it",
  clock: "whatever is asked to measure how the service keeps time is answered as the contract has it",
  capacity: "whatever is asked to measure how much the service holds is answered as the contract has it",
};

/**
 * What is asked of a service besides its vectors and searches: who it is, and once something depends on it, how it keeps
 * time and how much it holds. Each is measured once, and every answer is judged by all that holds for such an answer.
 */
export class Probes implements Measured {
  readonly #stage: Stage;
  readonly #info: ImplementationInfo;
  readonly #measuring = new Map<Probe, Promise<void>>();
  /** Judges one answer. */
  readonly #judges: (() => void)[] = [];
  readonly #scenes: Asking[] = [];
  #timekeeping: Timekeeping | undefined;
  #room: Room | undefined;

  constructor(stage: Omit<Stage, "measured">, info: ImplementationInfo) {
    this.#stage = { ...stage, measured: this };
    this.#info = info;
    this.forget();
  }

  get timekeeping(): Timekeeping {
    if (this.#timekeeping === undefined) throw new Unmeasured("clock");
    return this.#timekeeping;
  }

  get room(): Room {
    if (this.#room === undefined) throw new Unmeasured("capacity");
    return this.#room;
  }

  /**
   * Asks for what the service is known by.
   * @returns undefined where what answers may be the service; otherwise one line on what it said instead, such as a web
   *   server's own page
   */
  async checkIdentity(connection: Connection): Promise<string | undefined> {
    const { request, isFamiliar } = this.#stage.contract.identity;
    try {
      const envelope = await connection.handle(request);
      this.hear(connection, request, envelope);
      const { status, body } = isObject(envelope) ? envelope : {};
      if (isObject(body) && isFamiliar(body)) return undefined;
      const asked = `${request.method} ${request.path}`;
      return `what answers is not the service: ${asked} gave ${shown(status)} ${shown(body)}`;
    } catch (error) {
      if (error instanceof AdapterFault) return undefined;
      throw error;
    }
  }

  /** Takes in an answer that was asked for to find out whether the service answers at all. */
  hear(connection: Line, request: ServiceRequest, envelope: unknown): void {
    const operation = this.#stage.contract.operations.of(request.method, request.path);
    const exchange = {
      operation,
      request,
      ...readEnvelope(envelope),
      sentAt: 0,
      answeredAt: 0,
      plannedMs: 0,
    };
    const scene = this.#sceneOf("identity", connection, STILL);
    this.#judges.push(() => scene.hear(exchange));
  }

  /**
   * Measures on a service that nobody else asks meanwhile; it is left at some time and in some state.
   * @param nowMs where its clock stands, where it cannot be started anew
   * @returns where its clock stands then
   */
  async measure(probe: Probe, connection: Connection, nowMs?: number): Promise<number> {
    // How much a service holds is judged by how it keeps time, too.
    const reading = probe === "capacity" ? await this.measure("clock", connection, nowMs) : nowMs;
    const startMs = reading ?? startTime("between-seconds", this.#stage.seed);
    const line = new ProbedLine(connection, startMs, (clock) => this.#sceneOf(probe, connection, clock));
    const measuring = this.#measuring.get(probe) ?? this.#measure(probe, line, startMs);
    this.#measuring.set(probe, measuring);
    await measuring;
    this.#judges.push(...line.judges);
    return line.readingMs;
  }

  /** Whether a probe has measured. */
  isMeasured(probe: Probe): boolean {
    return (probe === "clock" ? this.#timekeeping : this.#room) !== undefined;
  }

  /** Forgets what was measured: the service is judged from its beginning. What answers showed stays. */
  forget(): void {
    const { clock, restart } = this.#info.capabilities;
    this.#measuring.clear();
    this.#timekeeping = clock === "real" ? this.#stage.contract.time.unmoved : undefined;
    // A service that cannot be started anew would be left full.
    this.#room = clock === "real" || !restart ? {} : undefined;
  }

  async #measure(probe: Probe, line: ProbedLine, startMs: number): Promise<void> {
    const { contract } = this.#stage;
    const label = runLabel(this.#stage);
    if (probe === "clock")
      this.#timekeeping ??= await orUsual(() => contract.measureTimekeeping(line, label, startMs), EXACT);
    else this.#room ??= await orUsual(() => contract.measureRoom(line, label, startMs), {});
  }

  #sceneOf(name: ProbeName, connection: Line, clock: SceneClock): Asking {
    const scene = new Asking(probeVector(name), this.#stage, connection, clock);
    this.#scenes.push(scene);
    return scene;
  }

  /** What the answers showed, one result for each kind of probe that has something to tell. */
  results(): readonly Result[] {
    for (const judge of this.#judges.splice(0)) judge();
    return PROBE_NAMES.flatMap((name) => {
      const scenes = this.#scenes.filter(({ vector }) => vector.id === probeId(name));
      const incidental = firstOfEachRule(scenes.flatMap((scene) => scene.incidental));
      const advice = name === "clock" ? (this.#timekeeping?.lives.flatMap((life) => life.advice) ?? []) : [];
      if (incidental.length === 0 && advice.length === 0) return [];
      const [failed] = scenes.filter((scene) => scene.incidental.length > 0);
      const { id, title, place } = probeVector(name);
      const nothing = { rules: [], failures: [], observations: [] };
      const trace = failed?.trace() ?? [];
      return [
        { id, kind: "probe", title, outcome: "passed", source: place, ...nothing, incidental, advice, trace },
      ];
    });
  }
}

function firstOfEachRule(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.toReversed().map((failure) => [failure.rule, failure])).values()].reverse();
}

/** What a probe asks, as a vector that is about no rule of its own. */
function probeVector(name: ProbeName): Vector {
  const id = probeId(name);
  return {
    id,
    suite: "probe",
    title: TITLES[name],
    rules: [],
    place: { file: id, line: 1 },
    clock: "between-seconds",
    needs: new Set(),
    totalWaitMs: 0,
    row: {},
    steps: [],
  };
}

/** Sends requests of a probe to one instance of the service. */
class Asking extends Scene {
  #requests = 0;

  async ask(request: ServiceRequest): Promise<{ readonly exchange: Exchange; readonly judge: () => void }> {
    const clockMs = this.elapsedMs;
    const at = this.#next();
    const exchange = await this.send(request, at);
    return { exchange, judge: () => this.take(exchange, at, clockMs) };
  }

  hear(exchange: Exchange): void {
    this.take(exchange, this.#next(), 0);
  }

  #next(): StepPlace {
    this.sending = "measuring";
    this.#requests += 1;
    return { step: String(this.#requests), place: this.vector.place };
  }
}

/** A connection whose answers are kept, to be judged when it was measured what they depend on. */
class ProbedLine implements Connection {
  readonly info: ImplementationInfo;
  readonly judges: (() => void)[] = [];
  readingMs: number;
  readonly #connection: Connection;
  readonly #sceneOf: (clock: SceneClock) => Asking;
  #scene: Asking;

  constructor(connection: Connection, startMs: number, sceneOf: (clock: SceneClock) => Asking) {
    this.info = connection.info;
    this.#connection = connection;
    this.#sceneOf = sceneOf;
    this.readingMs = startMs;
    this.#scene = this.#newScene();
  }

  #newScene(): Asking {
    return this.#sceneOf({ real: false, now: () => this.readingMs, pass: async () => {} });
  }

  async start(nowMs: number): Promise<void> {
    // Who cannot be started anew was started when the connection was opened.
    if (!this.info.capabilities.restart) return;
    await this.#connection.start(nowMs);
    this.readingMs = nowMs;
    this.#scene = this.#newScene();
  }

  async handle(request: ServiceRequest): Promise<unknown> {
    const { exchange, judge } = await this.#scene.ask(request);
    this.judges.push(judge);
    return exchange.envelope;
  }

  async advance(ms: number): Promise<number> {
    await this.#connection.advance(ms);
    this.readingMs += ms;
    return this.readingMs;
  }

  bytesToSign(message: string): Promise<Uint8Array> {
    return this.#connection.bytesToSign(message);
  }

  async close(): Promise<void> {}
}

/** A service that cannot even be measured is judged by its vectors, as one that does what most do. */
async function orUsual<Value>(read: () => Promise<Value>, usual: Value): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AdapterFault) || error instanceof MissingAnswer) throw error;
    return usual;
  }
}
