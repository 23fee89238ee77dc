import { AdapterFault, type ImplementationInfo, type ServiceRequest } from "../../adapters/adapter.ts";
import type { Stage, Told, World, WorldHost } from "../contract.ts";
import type { Template, Vector } from "../vectors/vector.ts";
import { FaultInStep, wasNotSent } from "./breakage.ts";
import type { SceneClock } from "./clock.ts";
import { type Exchange, readEnvelope, type StepPlace } from "./exchange.ts";
import { fill, valueAt } from "./fill.ts";
import { type Advice, differencesByRule, type Mismatch, type Observation } from "./judgement.ts";
import type { Timed } from "./lateness.ts";
import type { Line } from "./line.ts";
import { type Room, Unmeasured } from "./measured.ts";
import { isPrepared, type RequestKind } from "./request-kind.ts";
import type { Failure, TraceEntry } from "./result.ts";
import { runLabel } from "./run-label.ts";
import { showRequest, showResponse } from "./show-exchange.ts";
import { BadStep, StepFailed } from "./step-ends.ts";
import type { Timekeeping } from "./timekeeping.ts";
import { endUnmet, statusAndCode } from "./unmet.ts";

/** How many exchanges of a vector a report keeps: more than any vector has that a person reads step by step. */
const LONGEST_TRACE = 40;

/** An exchange where and when it took place. */
interface Noted {
  readonly at: StepPlace;
  readonly clockMs: number;
  readonly exchange: Exchange;
}

/**
 * One vector in play: what was said so far, and what that showed. It sends and records; what each answer must be is
 * decided by the steps (play-step.ts) and by the contract, whose side of the vector is its world.
 */
export class Scene implements WorldHost {
  readonly vector: Vector;
  readonly stage: Stage;
  readonly connection: Line;
  readonly clock: SceneClock;
  readonly world: World;
  readonly captures = new Map<string, Exchange>();
  readonly failures: Failure[] = [];
  readonly incidental: Failure[] = [];
  readonly observations: Observation[] = [];
  readonly advice: Advice[] = [];
  readonly #noted: Noted[] = [];
  /** What answers lack that are not even of the form of their operation's. */
  readonly #shapeless = new Map<Exchange, readonly Failure[]>();
  readonly #startedAt: number;
  /** Each judges an answer for which the play waits for a probe. */
  readonly #unjudged: (() => void)[] = [];
  /** What the requests of the step at hand are sent for. */
  sending: RequestKind = "asked";
  /** Reading of `$index` inside `repeat`. */
  index = 0;
  /** Where the vector stands on its own timeline, in ms since it began: its waits alone take time there. */
  plannedMs = 0;

  constructor(vector: Vector, stage: Stage, connection: Line, clock: SceneClock) {
    this.vector = vector;
    this.stage = stage;
    this.connection = connection;
    this.clock = clock;
    this.#startedAt = clock.now();
    this.world = stage.contract.world(this);
  }

  /** What people and things are made of, so that no other vector has the same. */
  get name(): string {
    return this.stage.again ? `${this.vector.id} again` : this.vector.id;
  }

  get rules(): readonly string[] {
    return this.vector.rules;
  }

  get label(): string {
    return runLabel(this.stage);
  }

  get info(): ImplementationInfo {
    return this.connection.info;
  }

  get realClock(): boolean {
    return this.clock.real;
  }

  get timekeeping(): Timekeeping {
    return this.stage.measured.timekeeping;
  }

  get clockToleranceMs(): number {
    return this.stage.clockToleranceMs;
  }

  get room(): Room {
    return this.stage.measured.room;
  }

  get nowMs(): number {
    return this.clock.now();
  }

  /** Milliseconds since the vector began, on the service's clock. */
  get elapsedMs(): number {
    return this.clock.now() - this.#startedAt;
  }

  /** The last exchanges, oldest first, as reports show them. */
  trace(): readonly TraceEntry[] {
    return this.#noted.slice(-LONGEST_TRACE).map(({ at, clockMs, exchange }) => ({
      ...at,
      clockMs,
      request: showRequest(exchange.request),
      response: showResponse(exchange.envelope),
    }));
  }

  /** Every exchange so far, oldest first; those that the kit made on a step's behalf included. */
  get exchanges(): readonly Exchange[] {
    return this.#noted.map(({ exchange }) => exchange);
  }

  /** Every exchange so far, as the vector's timeline has it and as it came. */
  get timed(): readonly Timed[] {
    return this.#noted.map(({ at: { step }, exchange: { plannedMs, sentAt, answeredAt } }) => ({
      step,
      plannedMs,
      sentAt,
      answeredAt,
    }));
  }

  get lastExchange(): Exchange | undefined {
    return this.#noted.at(-1)?.exchange;
  }

  /** A new service: nothing of the old one counts any more. */
  async restart(): Promise<void> {
    await this.connection.start(this.clock.now());
    this.world.restarted();
  }

  /** Fills in a template from actors, captures, facts and the row of `cases`. */
  fill(template: Template): Template {
    return fill(
      template,
      (name, path) => this.#lookup(name, path),
      `${this.vector.place.file}:${this.vector.place.line}`,
    );
  }

  captured(reference: unknown): Exchange {
    const name = String(reference).replace(/^\$/, "");
    const exchange = this.captures.get(name);
    if (exchange === undefined) throw new BadStep(`$${name} is no exchange of an earlier step`);
    return exchange;
  }

  observe(observation: Observation): void {
    this.observations.push(observation);
  }

  advise(advice: Advice): void {
    this.advice.push(advice);
  }

  /** Sends a request, judges the answer by all that holds in any situation, and records both. */
  async exchange(request: ServiceRequest, at: StepPlace): Promise<Exchange> {
    const clockMs = this.elapsedMs;
    const exchange = await this.send(request, at);
    this.take(exchange, at, clockMs);
    return exchange;
  }

  /** Judges an answer by all that holds in any situation, and records it. @throws {Unmeasured} */
  protected take(exchange: Exchange, at: StepPlace, clockMs: number): void {
    try {
      this.judge(exchange, at, clockMs);
    } catch (error) {
      // What it depends on is measured when the play is over; then it is judged.
      if (error instanceof Unmeasured) this.#unjudged.push(() => this.judge(exchange, at, clockMs));
      throw error;
    }
    this.record(exchange, at, clockMs);
  }

  /** Returns what was wrong with the answers of a play that a probe interrupted, once that has measured. */
  seen(): readonly Failure[] {
    try {
      for (const judge of this.#unjudged.splice(0)) judge();
    } catch (error) {
      if (!(error instanceof Unmeasured)) throw error;
    }
    return [...this.failures, ...this.incidental].map((failure) => ({ ...failure, aside: true }));
  }

  protected record(exchange: Exchange, at: StepPlace, clockMs: number): void {
    this.#noted.push({ at, clockMs, exchange });
    this.world.note(exchange);
  }

  /** Sends a request and gives the exchange, unjudged. @throws {FaultInStep} where it is not answered */
  protected async send(request: ServiceRequest, at: StepPlace): Promise<Exchange> {
    const { plannedMs, elapsedMs } = this;
    const sentAt = this.clock.now();
    const operation = this.stage.contract.operations.of(request.method, request.path);
    const { step, place } = at;
    let answer: unknown;
    try {
      const purpose = { step, place, id: this.vector.id, operation, kind: this.kindOf(at) };
      answer = await this.connection.handle(request, purpose);
    } catch (error) {
      if (!(error instanceof AdapterFault) || wasNotSent(error)) throw error;
      throw new FaultInStep(error, at, elapsedMs, request);
    }
    const { envelope, status, body } = readEnvelope(answer);
    const answeredAt = this.clock.now();
    const exchange = { operation, request, envelope, status, body, sentAt, answeredAt, plannedMs };
    const asking = this.stage.contract.askAside?.(exchange, this.connection);
    return asking === undefined ? exchange : { ...exchange, aside: await asking };
  }

  /** What a request of a step is sent for. */
  protected kindOf({ step }: StepPlace): RequestKind {
    return isPrepared(step) ? "preparing" : this.sending;
  }

  /** Records what an answer shows by itself. */
  protected judge(exchange: Exchange, at: StepPlace, clockMs: number): void {
    const { mismatches, observations, advice } = this.world.judge(exchange);
    this.observations.push(...observations);
    this.advice.push(...advice);
    if (mismatches.length === 0) return;
    const lacking = new Set(mismatches.flatMap(({ rule, shape }) => (shape ? [rule] : [])));
    const shapeless: Failure[] = [];
    for (const found of failuresOf(mismatches, exchange, at, clockMs)) {
      const isOwn = this.rules.includes(found.rule);
      const failure = isOwn ? found : { ...found, aside: true as const };
      (isOwn ? this.failures : this.incidental).push(failure);
      if (lacking.has(failure.rule)) shapeless.push(failure);
    }
    if (shapeless.length > 0) this.#shapeless.set(exchange, shapeless);
  }

  /**
   * Ends a step whose answer has the status that it must, but not the members: whoever asked for it has not seen what
   * the vector is about.
   * @throws {StepFailed}
   */
  requireShape(exchange: Exchange): void {
    const lacking = this.#shapeless.get(exchange);
    if (lacking === undefined) return;
    for (const failure of lacking) {
      const place = this.incidental.indexOf(failure);
      if (place === -1) continue;
      this.incidental.splice(place, 1);
      this.failures.push(failure);
    }
    throw new StepFailed("an answer is not of the form of its operation's");
  }

  expectSuccess(exchange: Exchange, at: StepPlace): void {
    if (exchange.status === 200) {
      this.requireShape(exchange);
      return;
    }
    const rule = this.stage.contract.operations.successRule(exchange.operation);
    this.unmet(at, rule === undefined ? this.rules : [rule], exchange, {
      message: "a valid request is answered 200",
      expected: "200",
      got: this.outcome(exchange),
      accepted: [{ status: 200, codes: [] }],
    });
  }

  unmet(at: StepPlace, rules: readonly string[], exchange: Exchange | undefined, told: Told): never {
    return endUnmet(this, at, rules, exchange, told);
  }

  /** What an answer was, in two words. */
  outcome(exchange: Exchange): string {
    return statusAndCode(exchange, this.stage.contract.operations.codeOf);
  }

  /** The error code of an answer, where it has one. */
  codeOf({ body }: Exchange): unknown {
    return this.stage.contract.operations.codeOf(body);
  }

  #lookup(name: string, path: readonly string[]): Template {
    if (name === "case") return valueAt(this.fill(this.vector.row[path[0] ?? ""] ?? null), path.slice(1));
    if (name === "index") return this.index;
    const value = this.world.lookup(name, path);
    if (value !== undefined) return value;
    const { operation, status, body } = this.captured(name);
    // Of a whole answer, what the contract names: whether there is more is open, and may be another each time.
    if (path.length === 0 && status === 200)
      return this.stage.contract.operations.named(operation, body) as Template;
    return path[0] === "status" ? (status ?? null) : valueAt(body as Template, path);
  }
}

/** What is wrong with an answer in itself, a failure for each rule that it breaks. */
function failuresOf(
  mismatches: readonly Mismatch[],
  exchange: Exchange,
  at: StepPlace,
  clockMs: number,
): readonly Failure[] {
  return [...differencesByRule(mismatches)].map(([rule, differences]) => ({
    rule,
    rules: [rule],
    message: `${differences.map(({ path }) => path).join(", ")}: not as the contract has it`,
    ...at,
    clockMs,
    request: showRequest(exchange.request),
    response: showResponse(exchange.envelope),
    expected: differences.map(({ path, expected }) => `${path}: ${expected}`).join("; "),
    got: differences.map(({ path, got }) => `${path}: ${got}`).join("; "),
    differences,
  }));
}
