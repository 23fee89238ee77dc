/** Records the responses of an implementation to the flows. */
import { join } from "node:path";
import {
  type Adapter,
  type Facts,
  ImplementationError,
  type Request,
  type Service,
} from "../adapters/adapter.ts";
import { mapRequest } from "../adapters/http.ts";
import { type Fields, type Json, valueAt } from "../adapters/json.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import type { Exchange } from "../contract/exchange.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { type ProofSpec, proofText } from "../contract/proof.ts";
import { Actors } from "../play/actors.ts";
import { LifetimeProbe } from "../play/lifetime-probe.ts";
import { playVector, startTimeMs } from "../play/play.ts";
import type { StepPlace } from "../play/result.ts";
import { VectorRun } from "../play/vector-run.ts";
import { waitMsOf } from "../run/plan.ts";
import { loadSuiteFiles, suiteFiles } from "../suite/load.ts";
import type { RequestStep, Step, Vector } from "../suite/vector.ts";
import {
  type DemoKey,
  type ExchangeStep,
  FIXTURE_VERSION,
  type Fixture,
  type FixtureRequest,
  type FixtureStep,
  type Omission,
  type Recording,
  type Substitution,
} from "./fixture.ts";
import { matchersFor, segmentsOf } from "./matchers.ts";

export interface RecordOptions {
  readonly contract: Contract;
  readonly adapter: Adapter;
  /** Whether two recordings are always the same. If not, values that the contract leaves open may change. */
  readonly isDeterministic: boolean;
}

/** Seed from which the demo keys are derived. */
const SEED = "1";
const NOTICE = "The keys are published and derived from their labels. They are for demonstration alone.";

/**
 * Plays each flow on a new service and records the exchanges.
 * @throws {DataError} if a flow has faults
 * @throws {ImplementationError} if the service cannot be restarted, or the implementation is lost
 */
export async function recordFlows(options: RecordOptions): Promise<Recording> {
  const { contract, adapter, isDeterministic } = options;
  const { clock, restart } = adapter.info.capabilities;
  if (!restart)
    throw new ImplementationError("fixtures need a service that can be restarted (capability restart)");
  const lifetimes = new LifetimeProbe(startTimeMs("between-seconds"));
  const context = { contract, adapter, lifetimes, salt: SEED };
  const fixtures: Fixture[] = [];
  const [omitted, failed]: [Omission[], Omission[]] = [[], []];
  for (const flow of loadFlows(contract)) {
    const name = flow.id.split("/").slice(1).join("-");
    const waitMs = waitMsOf(flow);
    if (clock === "real" && waitMs > 0) {
      omitted.push({ name, reason: `waits ${waitMs / 1000} s, and the clock is real (capability clock)` });
      continue;
    }
    const run = new FlowRun(flow, context);
    const { outcome, reason = "", findings } = await playVector(flow, context, run);
    if (adapter.lost !== undefined) throw adapter.lost;
    const [finding] = findings;
    if (finding !== undefined) {
      const { rules, expected, got } = finding;
      failed.push({ name, reason: `violates ${rules.join(", ")}: expected ${expected}, got ${got}` });
    } else if (outcome === "passed") fixtures.push(run.fixture(name, isDeterministic));
    else (outcome === "error" ? failed : omitted).push({ name, reason });
  }
  return { info: adapter.info, fixtures, omitted, failed };
}

/** Loads the flows, in the order of their files. @throws {DataError} */
function loadFlows(contract: Contract): readonly Vector[] {
  const flows = loadSuiteFiles(suiteFiles(join(DATA_FOLDER, "golden-flows")), contract);
  return [...flows].sort(
    ({ place: one }, { place: other }) => one.file.localeCompare(other.file) || one.line - other.line,
  );
}

/** Actors whose keys and mints are published. */
class DemoActors extends Actors {
  /** Names of the actors that took part, by address. */
  readonly names = new Map<string, string>();
  readonly #mints = new Map<string, string>();
  #keys = 0;

  constructor() {
    super(`${SEED} golden`);
  }

  override keyPair(actor: string): ReturnType<Actors["keyPair"]> {
    const pair = super.keyPair(actor);
    this.names.set(pair.address, actor);
    return pair;
  }

  override mint(actor: string, key = ""): string {
    const owner = `${actor} ${key}`;
    const mint = this.#mints.get(owner) ?? keyPairOf(`${SEED} mint ${this.#mints.size}`).address;
    this.#mints.set(owner, mint);
    return mint;
  }

  override freshKey(): string {
    this.#keys += 1;
    return `demo-key-${String(this.#keys).padStart(4, "0")}`;
  }

  /** Returns the keys of the actors, and then those of the mints. */
  demoKeys(): Readonly<Record<string, DemoKey>> {
    const actors = [...this.names.values()].map((name) => [name, demoKey(`${SEED} golden ${name}`)]);
    const mints = [...this.#mints.keys()].map((_, index) => `mint ${index}`);
    return Object.fromEntries([...actors, ...mints.map((name) => [name, demoKey(`${SEED} ${name}`)])]);
  }
}

function demoKey(label: string): DemoKey {
  return {
    label: `launch-draft-conformance ${label}`,
    publicKey: keyPairOf(label).address,
    privateKeyHex: privateKeyOf(label).toString("hex"),
  };
}

type Event =
  | { readonly kind: "exchange"; readonly exchange: Exchange; readonly place: StepPlace }
  | { readonly kind: "advance"; readonly nowMs: number; readonly ms: number }
  | { readonly kind: "restart"; readonly nowMs: number };

/** The run of a flow, which records everything that happens. */
class FlowRun extends VectorRun {
  override readonly actors = new DemoActors();
  readonly #events: Event[] = [];
  #isStarted = false;

  override async start(nowMs: number): Promise<void> {
    if (this.#isStarted) this.#events.push({ kind: "restart", nowMs });
    this.#isStarted = true;
    await super.start(nowMs);
  }

  override async send(request: Request, place: StepPlace): Promise<Exchange> {
    const exchange = await super.send(request, place);
    this.#events.push({ kind: "exchange", exchange, place });
    return exchange;
  }

  override get service(): Service {
    const service = super.service;
    return {
      nowMs: service.nowMs,
      handle: (request) => service.handle(request),
      close: () => service.close(),
      advance: async (ms) => {
        const { nowMs } = service;
        await service.advance(ms);
        this.#events.push({ kind: "advance", nowMs, ms: service.nowMs - nowMs });
      },
    };
  }

  /** Returns the fixture of the flow. @param isDeterministic whether two recordings are always the same */
  fixture(name: string, isDeterministic: boolean): Fixture {
    const { title, rules } = this.vector;
    const steps: FixtureStep[] = [];
    for (const [index, event] of this.#events.entries()) {
      const step = index + 1;
      const { kind, ...moment } = event;
      if (event.kind === "exchange") steps.push(this.#exchangeStep(step, event, steps, isDeterministic));
      else steps.push({ kind, step, ...moment } as FixtureStep);
    }
    return {
      contract: SERVED_CONTRACT.version,
      version: FIXTURE_VERSION,
      name,
      title,
      rules,
      notice: NOTICE,
      keys: this.actors.demoKeys(),
      steps,
    };
  }

  #exchangeStep(
    step: number,
    { exchange, place }: Extract<Event, { kind: "exchange" }>,
    earlier: readonly FixtureStep[],
    isDeterministic: boolean,
  ): ExchangeStep {
    const own = stepAt(this.vector.steps, place.step);
    // The last exchange of a step is its own. The others prepare it.
    const next = this.#events.slice(step).find((event) => event.kind === "exchange");
    const isOwn = own !== undefined && (next?.kind !== "exchange" || next.place.step !== place.step);
    const { accepted = [], open, sameAs } = (isOwn ? own.expect : undefined) ?? {};
    const response = { status: exchange.status ?? 0, body: exchange.body };
    const request = toFixtureRequest(exchange.request);
    const substitutions = this.#substitutions(exchange, own, request, earlier);
    const matchers = matchersFor(exchange.operation, response, isDeterministic);
    const original = sameAs === undefined ? undefined : this.captured(sameAs);
    return {
      kind: "exchange",
      step,
      nowMs: exchange.atMs,
      request,
      response,
      http: httpForm(exchange.request, response),
      ...(open !== undefined && {
        accepts: accepted.map(({ status, codes }) => ({ status, codes })),
        open,
      }),
      ...(original && { sameAs: this.#events.findIndex((one) => isOf(one, original)) + 1 }),
      ...(substitutions.length > 0 && { substitutions }),
      ...(matchers.length > 0 && { matchers }),
    };
  }

  /** Returns the texts of a request that differ in another run, or on another implementation. */
  #substitutions(
    exchange: Exchange,
    step: RequestStep | undefined,
    request: FixtureRequest,
    earlier: readonly FixtureStep[],
  ): readonly Substitution[] {
    const found = new Map<string, Substitution>();
    const add = (substitution: Substitution | undefined) => {
      const { body = "", bearer } = request;
      const value = substitution?.value;
      if (value !== undefined && (body.includes(value) || bearer === value))
        found.set(value, substitution as Substitution);
    };
    const exchanges = earlier.filter((one) => one.kind === "exchange");
    for (const one of exchanges)
      for (const pointer of RETURNED_POINTERS) {
        const value = valueAt(one.response.body, segmentsOf(pointer));
        if (typeof value === "string" && value !== "") add({ value, step: one.step, pointer });
      }
    add(this.#proofSubstitution(exchange, step, exchanges));
    for (const [fact, value] of substitutedFacts(this.context.adapter.info.facts)) add({ value, fact });
    return [...found.values()];
  }

  /** Returns the substitution of the proof in a request, if there is one. */
  #proofSubstitution(
    exchange: Exchange,
    step: RequestStep | undefined,
    earlier: readonly ExchangeStep[],
  ): Substitution | undefined {
    const { id, signatureBase64: value } = exchange.input ?? {};
    const fields = step?.verb === "verify" ? step.fields : {};
    const challenge =
      fields["challenge"] === undefined
        ? this.exchanges.find(({ operation, body }) => operation === "challenge" && body["id"] === id)
        : this.captured(String(fields["challenge"]));
    if (typeof value !== "string" || challenge === undefined) return undefined;
    const filled = this.fill(fields["proof"] ?? {}) as Fields;
    const { over, by, ...changes } = filled as { over?: Json; by?: string } & Partial<ProofSpec>;
    const text = over ?? challenge.body["message"];
    const signer = by ?? this.actorByExchange.get(challenge) ?? "";
    const signed = earlier.findLast(({ response }) => response.body["message"] === text);
    const bytes = this.exchanges.find(({ body }) => body["message"] === text)?.signed;
    if (signed === undefined || bytes === undefined) return undefined;
    const spec = { signer: this.actors.keyPair(signer), text: String(text), bytes, ...changes };
    if (proofText(spec) !== value) return undefined;
    return { value, proof: { by: signer, step: signed.step, pointer: "/message", ...changes } };
  }
}

/** Members of responses that clients send in later requests. */
const RETURNED_POINTERS = ["/termsHash", "/id", "/bearer"];

function isOf(event: Event, exchange: Exchange): boolean {
  return event.kind === "exchange" && event.exchange === exchange;
}

/** Returns the request step with a number such as `3` or `2[5].1`. Preparations have no step. */
function stepAt(steps: readonly Step[], number: string): RequestStep | undefined {
  const [, index = "", inner] = /^(\d+)(?:\[\d+\]\.(.+))?$/.exec(number) ?? [];
  const step = steps[Number(index) - 1];
  if (inner !== undefined && step !== undefined && "steps" in step) return stepAt(step.steps, inner);
  return step !== undefined && "fields" in step ? step : undefined;
}

function toFixtureRequest({ method, path, bearer, idempotencyKey, body }: Request): FixtureRequest {
  return {
    method,
    path,
    ...(bearer !== undefined && { bearer }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...bodyMembers(body),
  };
}

function bodyMembers(body: Request["body"]): Pick<FixtureRequest, "body" | "bodyBase64"> {
  if (body === undefined) return {};
  return typeof body === "string" ? { body } : { bodyBase64: Buffer.from(body).toString("base64") };
}

/** Returns an exchange over HTTP. @throws {Unsupported} if HTTP cannot carry the request */
function httpForm(request: Request, { status, body }: ExchangeStep["response"]): object {
  const { method, path, headers } = mapRequest(request, "");
  // A response may contain a bearer, and a 401 names the scheme (RFC 9110, section 15.5.2).
  const responseHeaders = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  return {
    request: { method, path, headers: headerList(headers), ...bodyMembers(request.body) },
    response: { status, headers: headerList(responseHeaders), body: JSON.stringify(body) },
  };
}

function headerList(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Returns the facts that occur in requests, by their JSON Pointers. */
function substitutedFacts({ metadataHosts, operatorKey }: Facts): readonly (readonly [string, string])[] {
  const [hostA, hostB] = metadataHosts;
  const hosts = [["/metadataHosts/0", hostA] as const, ["/metadataHosts/1", hostB] as const];
  return operatorKey === undefined ? hosts : [...hosts, ["/operatorKey", operatorKey]];
}
