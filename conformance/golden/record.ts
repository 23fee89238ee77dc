/** Records the responses of an implementation to the flows. */
import { join } from "node:path";
import { type Adapter, ImplementationError, type Request } from "../adapters/adapter.ts";
import { mapRequest } from "../adapters/http.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import type { Exchange } from "../contract/exchange.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { type ProofSpec, proofText } from "../contract/proof.ts";
import { type Fields, type Json, valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { Actors } from "../play/actors.ts";
import type { Observer } from "../play/conversation.ts";
import { measureLifetimes } from "../play/lifetime-probe.ts";
import { playVector } from "../play/play.ts";
import type { StepPlace } from "../play/result.ts";
import { newContext, type TestContext, VectorRun } from "../play/vector-run.ts";
import { textsOf } from "../report/wording.ts";
import { waitMsOf } from "../run/plan.ts";
import { loadSuiteFiles, suiteFiles } from "../suite/load.ts";
import { allSteps, type RequestStep, type Vector } from "../suite/vector.ts";
import {
  type ClockStep,
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

/** Seed from which the demo keys are derived. */
const SEED = "1";
const NOTICE = "The keys are published and derived from their labels. They are for demonstration alone.";

/**
 * Plays each flow on a new service and records the exchanges.
 * @param isDeterministic whether two recordings are always equal. If not, values that the contract leaves
 *   open may change.
 * @throws {DataError} if a flow is invalid
 * @throws {ImplementationError} if the service cannot be restarted, or the kit gave up on the implementation
 */
export async function recordFlows(
  contract: Contract,
  adapter: Adapter,
  isDeterministic: boolean,
): Promise<Recording> {
  const { clock, restart } = adapter.info.capabilities;
  if (!restart)
    throw new ImplementationError("fixtures need a service that can be restarted (capability restart)");
  const context = newContext(contract, adapter, SEED);
  const fixtures: Fixture[] = [];
  const [omitted, failed]: [Omission[], Omission[]] = [[], []];
  const flows = loadSuiteFiles(suiteFiles(join(DATA_FOLDER, "golden-flows")), contract).toSorted(
    ({ place: one }, { place: other }) => one.file.localeCompare(other.file) || one.line - other.line,
  );
  await measureLifetimes(context, flows);
  for (const flow of flows) {
    const name = flow.id.split("/").slice(1).join("-");
    const waitMs = waitMsOf(flow);
    if (clock === "real" && waitMs > 0) {
      omitted.push({ name, reason: `waits ${waitMs / 1000} s, and the clock is real (capability clock)` });
      continue;
    }
    const recorder = new FlowRecorder(flow, context, isDeterministic);
    const { outcome, reason = "", findings } = await playVector(flow, context, recorder.run);
    if (adapter.lost !== undefined) throw adapter.lost;
    const [finding] = findings;
    if (finding !== undefined) {
      const { expected, got } = textsOf(finding);
      failed.push({ name, reason: `violates ${finding.rules.join(", ")}: expected ${expected}, got ${got}` });
    } else if (outcome === "passed") fixtures.push(recorder.fixture(name));
    else (outcome === "error" ? failed : omitted).push({ name, reason });
  }
  return { info: adapter.info, fixtures, omitted, failed };
}

/** Actors whose keys and mints are published. */
class DemoActors extends Actors {
  /** Names of the actors whose keys the flow used. */
  readonly #names = new Set<string>();
  readonly #mints = new Map<string, string>();
  #keys = 0;

  constructor() {
    super(`${SEED} golden`);
  }

  override keyPair(actor: string): ReturnType<Actors["keyPair"]> {
    this.#names.add(actor);
    return super.keyPair(actor);
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
  demoKeys(): Fixture["keys"] {
    const actors = [...this.#names].map((name) => [name, demoKey(`${SEED} golden ${name}`)]);
    const mints = [...this.#mints.keys()].map((_, index) => `mint ${index}`);
    return Object.fromEntries([...actors, ...mints.map((name) => [name, demoKey(`${SEED} ${name}`)])]);
  }
}

function demoKey(label: string): Fixture["keys"][string] {
  return {
    label: `launch-draft-conformance ${label}`,
    publicKey: keyPairOf(label).address,
    privateKeyHex: privateKeyOf(label).toString("hex"),
  };
}

interface Sent {
  readonly exchange: Exchange;
  readonly place: StepPlace;
}

/** Records each start of the service, each wait, and each exchange of a flow, for its fixture. */
class FlowRecorder {
  readonly run: VectorRun;
  readonly #isDeterministic: boolean;
  readonly #actors = new DemoActors();
  /** The start of the service, and then one event for each step of the fixture. */
  readonly #events: (Sent | ClockStep)[] = [];

  /** @param isDeterministic whether two recordings are always equal */
  constructor(flow: Vector, context: TestContext, isDeterministic: boolean) {
    this.#isDeterministic = isDeterministic;
    const events = this.#events;
    const recorder: Observer = {
      started: (nowMs) => events.push({ kind: "restart", step: events.length, nowMs }),
      waited: (nowMs, ms) => events.push({ kind: "advance", step: events.length, nowMs, ms }),
      received: (exchange, place) => events.push({ exchange, place }),
    };
    this.run = new VectorRun(flow, context, flow.id, { actors: this.#actors, observers: [recorder] });
  }

  /** Returns the fixture of the flow. */
  fixture(name: string): Fixture {
    const { title, rules } = this.run.vector;
    const steps: FixtureStep[] = [];
    for (const event of this.#events.slice(1))
      steps.push("exchange" in event ? this.#exchangeStep(event, steps) : event);
    return {
      contract: SERVED_CONTRACT.version,
      version: FIXTURE_VERSION,
      name,
      title,
      rules,
      notice: NOTICE,
      keys: this.#actors.demoKeys(),
      steps,
    };
  }

  #exchangeStep({ exchange, place }: Sent, earlier: readonly FixtureStep[]): ExchangeStep {
    const step = earlier.length + 1;
    const steps = place.step.endsWith("(preparation)") ? [] : allSteps(this.run.vector.steps);
    const own = steps.filter((one) => "fields" in one).find((one) => one.place === place.place);
    // Only the last exchange belongs to the step itself. Earlier ones prepare it.
    const next = this.#events.slice(step + 1).find((event) => "exchange" in event);
    const expected = next?.place.step === place.step ? undefined : own?.expect;
    const { accepted = [], open, sameAs } = expected ?? {};
    const response = { status: exchange.status ?? 0, body: exchange.body };
    const request = toFixtureRequest(exchange.request);
    const substitutions = this.#substitutions(exchange, own, request, earlier);
    const matchers = matchersFor(exchange.operation, response, this.#isDeterministic);
    const original = sameAs && this.run.captured(sameAs);
    return {
      kind: "exchange",
      step,
      nowMs: exchange.atMs,
      request,
      response,
      http: httpForm(exchange.request, response),
      ...(open !== undefined && { accepts: accepted.map(({ status, codes }) => ({ status, codes })), open }),
      ...(original && {
        sameAs: this.#events.findIndex((event) => "exchange" in event && event.exchange === original),
      }),
      ...(substitutions.length > 0 && { substitutions }),
      ...(matchers.length > 0 && { matchers }),
    };
  }

  /** Returns the strings in a request that change from run to run or between implementations. */
  #substitutions(
    exchange: Exchange,
    step: RequestStep | undefined,
    { body = "", bearer }: FixtureRequest,
    earlier: readonly FixtureStep[],
  ): readonly Substitution[] {
    const { facts } = this.run.context.adapter.info;
    const exchanges = earlier.filter((one) => one.kind === "exchange");
    const candidates = [
      ...exchanges.flatMap(({ step: number, response }) =>
        RETURNED.map((name) => ({ value: response.body[name], step: number, pointer: `/${name}` })),
      ),
      ...this.#proofSubstitutions(exchange, step, exchanges),
      ...FACTS.map((fact) => ({ value: valueAt(facts, segmentsOf(fact)), fact })),
    ];
    const isSent = (one: { readonly value: unknown }): one is Substitution =>
      typeof one.value === "string" && one.value !== "" && (body.includes(one.value) || bearer === one.value);
    return [...new Map(candidates.filter(isSent).map((one) => [one.value, one])).values()];
  }

  /** Returns the substitution of the proof in a request, if there is one. */
  #proofSubstitutions(
    exchange: Exchange,
    step: RequestStep | undefined,
    earlier: readonly ExchangeStep[],
  ): readonly Substitution[] {
    const { id, signatureBase64: value } = exchange.input ?? {};
    const fields = step?.verb === "verify" ? step.fields : {};
    const challenge =
      fields["challenge"] === undefined
        ? this.run.conversation.exchanges.find(
            ({ operation, body }) => operation === "challenge" && body["id"] === id,
          )
        : this.run.captured(String(fields["challenge"]));
    if (typeof value !== "string" || challenge === undefined) return [];
    const filled = this.run.fill(fields["proof"] ?? {}) as Fields;
    const { over, by, ...changes } = filled as { over?: Json; by?: string } & Partial<ProofSpec>;
    const text = over ?? challenge.body["message"];
    const signer = by ?? this.run.actorByExchange.get(challenge) ?? "";
    const signed = earlier.findLast(({ response }) => response.body["message"] === text);
    const bytes = this.run.conversation.exchanges.find(({ body }) => body["message"] === text)?.signed;
    if (signed === undefined || bytes === undefined) return [];
    const spec = { signer: this.#actors.keyPair(signer), text: String(text), bytes, ...changes };
    if (proofText(spec) !== value) return [];
    return [{ value, proof: { by: signer, step: signed.step, pointer: "/message", ...changes } }];
  }
}

/** Members of responses that clients send in later requests. */
const RETURNED = ["termsHash", "id", "bearer"];
/** JSON Pointers of the facts that occur in requests. */
const FACTS = ["/metadataHosts/0", "/metadataHosts/1", "/operatorKey"];

function toFixtureRequest({ method, path, bearer, idempotencyKey, body }: Request): FixtureRequest {
  const session = bearer === undefined ? {} : { bearer };
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { method, path, ...session, ...key, ...bodyMembers(body) };
}

function bodyMembers(body: Request["body"]): Pick<FixtureRequest, "body" | "bodyBase64"> {
  if (body === undefined) return {};
  return typeof body === "string" ? { body } : { bodyBase64: Buffer.from(body).toString("base64") };
}

/** Returns the HTTP form of an exchange. @throws {Unsupported} if HTTP cannot carry the request */
function httpForm(request: Request, { status, body }: ExchangeStep["response"]): object {
  const { method, path, headers } = mapRequest(request, "");
  // Caches must not store a bearer. A 401 names the scheme (RFC 9110, section 15.5.2).
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
