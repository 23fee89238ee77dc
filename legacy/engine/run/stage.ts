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
import { isObject } from "../play/exchange.ts";
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
import type { Result } from "../play/result.ts";
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
interface StageGiven extends Pick<Stage, "contract" | "seed"> {
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
  /** What was wrong with answers, and the first exchanges in which anything was. */
  readonly #found = new Map<ProbeName, Pick<Result, "incidental" | "trace">>();
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
      const envelope = await this.greet(connection);
      const { status, body } = isObject(envelope) ? envelope : {};
      if (isObject(body) && isFamiliar(body)) return undefined;
      const asked = `${request.method} ${request.path}`;
      return `what answers is not the service: ${asked} gave ${shown(status)} ${shown(body)}`;
    } catch (error) {
      if (error instanceof AdapterFault) return undefined;
      throw error;
    }
  }

  /** Asks for what the service is known by, and gives the answer. @throws {AdapterFault} */
  async greet(connection: Line): Promise<unknown> {
    const line = this.#lineOf("identity", connection, 0);
    const envelope = await line.handle(this.#stage.contract.identity.request);
    this.#note("identity", line);
    return envelope;
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
    const line = this.#lineOf(probe, connection, startMs);
    const measuring = this.#measuring.get(probe) ?? this.#measure(probe, line, startMs);
    this.#measuring.set(probe, measuring);
    await measuring;
    this.#note(probe, line);
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

  #lineOf(name: ProbeName, connection: Line, nowMs: number): ProbedLine {
    return new ProbedLine(probeVector(name), this.#stage, connection, nowMs);
  }

  #note(name: ProbeName, line: ProbedLine): void {
    for (const scene of line.judged()) {
      const { incidental = [], trace = scene.trace() } = this.#found.get(name) ?? {};
      const known = new Set(incidental.map(({ rule }) => rule));
      const fresh = scene.incidental.filter(({ rule }) => !known.has(rule) && known.add(rule));
      if (fresh.length > 0) this.#found.set(name, { incidental: [...incidental, ...fresh], trace });
    }
  }

  /** What the answers showed, one result for each kind of probe that has something to tell. */
  results(): readonly Result[] {
    return PROBE_NAMES.flatMap((name) => {
      const { incidental = [], trace = [] } = this.#found.get(name) ?? {};
      const advice = name === "clock" ? (this.#timekeeping?.lives.flatMap((life) => life.advice) ?? []) : [];
      if (incidental.length === 0 && advice.length === 0) return [];
      const { id, title, rules, place } = probeVector(name);
      const told = { incidental, advice, trace, failures: [], observations: [] };
      return [{ id, kind: "probe", title, rules, outcome: "passed", source: place, ...told }];
    });
  }
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

/** What a probe asks of one instance of the service: judged once it was measured what the answers depend on. */
class Asking extends Scene {
  readonly #answers: (() => void)[] = [];

  async ask(request: ServiceRequest): Promise<unknown> {
    const clockMs = this.elapsedMs;
    const at = { step: String(this.#answers.length + 1), place: this.vector.place };
    this.sending = "measuring";
    const exchange = await this.send(request, at);
    this.#answers.push(() => this.take(exchange, at, clockMs));
    return exchange.envelope;
  }

  judgeAnswers(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }
}

/** A connection whose answers are judged, each as that of the instance that gave it. */
class ProbedLine implements Connection {
  readonly info: ImplementationInfo;
  readingMs: number;
  readonly #connection: Line;
  readonly #newScene: () => Asking;
  readonly #scenes: Asking[];

  constructor(vector: Vector, stage: Stage, connection: Line, nowMs: number) {
    this.info = connection.info;
    this.#connection = connection;
    this.readingMs = nowMs;
    const clock: SceneClock = { real: false, now: () => this.readingMs, pass: async () => {} };
    this.#newScene = () => new Asking(vector, stage, connection, clock);
    this.#scenes = [this.#newScene()];
  }

  async start(nowMs: number): Promise<void> {
    // Who cannot be started anew was started when the connection was opened.
    if (!this.info.capabilities.restart) return;
    await this.#connection.start(nowMs);
    this.readingMs = nowMs;
    this.#scenes.push(this.#newScene());
  }

  handle(request: ServiceRequest): Promise<unknown> {
    return (this.#scenes.at(-1) as Asking).ask(request);
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

  /** The instances that answered, with what was wrong with their answers. @throws {Unmeasured} */
  judged(): readonly Asking[] {
    for (const scene of this.#scenes) scene.judgeAnswers();
    return this.#scenes;
  }
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
