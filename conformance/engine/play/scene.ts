import type { Connection, ServiceRequest } from "../../adapters/adapter.ts";
import { judgeExchange } from "../../contract/judge/judge.ts";
import type { ResponseSchemas } from "../../contract/judge/response-schemas.ts";
import { type KeyPair, keyPairOf, pooledAddress } from "../../contract/keys/key-pair.ts";
import { type ProofSpec, proofText } from "../../contract/keys/proof.ts";
import { CAST } from "../../contract/verbs/cast.ts";
import { BadStep, launchRequest, shortHash } from "../../contract/verbs/requests.ts";
import type { Contract } from "../rule-book.ts";
import { fill } from "../vectors/template.ts";
import type { SourcePlace, Template, Vector } from "../vectors/vector.ts";
import type { SceneClock } from "./clock.ts";
import { type Exchange, type Operation, operationOf, readEnvelope } from "./exchange.ts";
import { type Advice, differencesByRule, type Observation } from "./judgement.ts";
import type { Timed } from "./lateness.ts";
import type { Failure, TraceEntry } from "./result.ts";
import { showRequest, showResponse } from "./show-exchange.ts";

/** How many exchanges of a vector a report keeps: more than any vector has that a person reads step by step. */
const LONGEST_TRACE = 40;

/** A service that holds no more than so many entries of all kinds together could not be tried at all. */
const LEAST_ROOM = 16;

/** What stays the same for every vector of a run. */
export interface Stage {
  readonly contract: Contract;
  readonly schemas: ResponseSchemas;
  readonly seed: number;
  /** The step in which the service's clock counts, in ms. */
  readonly resolutionMs: number;
  /** How far the service's clock may differ from the kit's, in ms. */
  readonly clockToleranceMs: number;
  /** Whether vectors are played once more, on a service that may remember their people: these are others. */
  readonly again?: true;
}

/** An exchange that a later step can refer to. */
export interface Captured extends Exchange {
  /** The actor for whom a challenge or session was made. */
  readonly actor?: string;
}

/** Where in the vector an exchange belongs. */
export interface StepPlace {
  readonly step: string;
  readonly place: SourcePlace;
}

/**
 * One vector in play: its actors, what was said so far, and what that showed. It sends and records; what each answer
 * must be is decided by the steps (play-step.ts) and the judge.
 */
export class Scene {
  readonly vector: Vector;
  readonly stage: Stage;
  readonly connection: Connection;
  readonly clock: SceneClock;
  readonly captures = new Map<string, Captured>();
  readonly failures: Failure[] = [];
  readonly incidental: Failure[] = [];
  readonly observations: Observation[] = [];
  readonly advice: Advice[] = [];
  readonly #exchanges: { readonly at: StepPlace; readonly clockMs: number; readonly exchange: Exchange }[] =
    [];
  readonly #startedAt: number;
  /** What people, keys and mints are made of, so that nobody else has the same. */
  readonly #name: string;
  readonly #keyPairs = new Map<string, KeyPair>();
  readonly #mints = new Map<string, string>();
  readonly #bearers = new Map<string, string>();
  #profile: Captured["body"] | undefined;
  #keys = 0;
  #stored = { challenge: 0, verify: 0, build: 0 };
  /** Whether the vector has begun to fill a store itself: from there on it is about what a full one answers. */
  flooded = false;
  /** Reading of `$index` inside `repeat`. */
  index = 0;
  /** Where the vector stands on its own timeline, in ms since it began: its waits alone take time there. */
  plannedMs = 0;

  constructor(vector: Vector, stage: Stage, connection: Connection, clock: SceneClock) {
    this.vector = vector;
    this.stage = stage;
    this.connection = connection;
    this.clock = clock;
    this.#startedAt = clock.now();
    this.#name = stage.again ? `${vector.id} again` : vector.id;
  }

  /** Milliseconds since the vector began, on the service's clock. */
  get elapsedMs(): number {
    return this.clock.now() - this.#startedAt;
  }

  /** The profile that this life of the service gave first. */
  get profile(): Captured["body"] | undefined {
    return this.#profile;
  }

  /** The last exchanges, oldest first, as reports show them. */
  trace(): readonly TraceEntry[] {
    return this.#exchanges.slice(-LONGEST_TRACE).map(({ at, clockMs, exchange }) => ({
      ...at,
      clockMs,
      request: showRequest(exchange.request),
      response: showResponse(exchange.envelope),
    }));
  }

  /** Every exchange so far, oldest first; those that the kit made on a step's behalf included. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges.map(({ exchange }) => exchange);
  }

  /** Every exchange so far, as the vector's timeline has it and as it came. */
  get timed(): readonly Timed[] {
    return this.#exchanges.map(({ at: { step }, exchange: { plannedMs, sentAt, answeredAt } }) => ({
      step,
      plannedMs,
      sentAt,
      answeredAt,
    }));
  }

  /** The exchange that was answered last. */
  get lastExchange(): Exchange | undefined {
    return this.#exchanges.at(-1)?.exchange;
  }

  /** The key pair of that name, which no other vector has. */
  keyPair(name: string): KeyPair {
    let pair = this.#keyPairs.get(name);
    if (pair === undefined) {
      pair = keyPairOf(`${this.stage.seed} ${this.#name} ${name}`);
      this.#keyPairs.set(name, pair);
    }
    return pair;
  }

  /** An idempotency key that was not used before in this vector, nor in any other. */
  freshKey(): string {
    this.#keys += 1;
    return `key-${shortHash(this.#name)}-${this.#keys}`;
  }

  /** The body of a valid build: a mint of its own for every key. */
  launchRequest(actor: string, key: string | undefined): Readonly<Record<string, Template>> {
    const [host] = this.connection.info.facts.metadataHosts;
    return launchRequest(this.keyPair(actor).address, this.#mint(`${actor} ${key ?? ""}`), host);
  }

  /** One mint after the other; only on a shared service must no other vector have the same. */
  #mint(label: string): string {
    let mint = this.#mints.get(label);
    if (mint === undefined) {
      const number = this.#mints.size;
      const { restart } = this.connection.info.capabilities;
      const own = restart && !this.clock.real ? "" : ` ${this.#name}`;
      mint = pooledAddress(`${this.stage.seed} mint ${number}${own}`);
      this.#mints.set(label, mint);
    }
    return mint;
  }

  /** `signatureBase64` for a challenge, as far as the spec departs from an honest proof. */
  proof(spec: Omit<ProofSpec, "signedBytes">): string {
    return proofText({ ...spec, signedBytes: this.connection.info.facts.signedBytes });
  }

  /** The bearer of the actor's latest session in this life of the service. */
  bearerOf(actor: string): string | undefined {
    return this.#bearers.get(actor);
  }

  /** Remembers a session for later builds of its actor. */
  keepBearer(actor: string, bearer: unknown): void {
    if (typeof bearer === "string") this.#bearers.set(actor, bearer);
  }

  /**
   * Why the store behind an operation may rightly be full by now: it is shared, or as many entries were made as the
   * implementation says that it holds (contract, "Limits": the bound is not shown). Undefined where it may not.
   */
  roomFor(operation: Operation): string | undefined {
    const { capabilities, facts } = this.connection.info;
    if (operation !== "challenge" && operation !== "verify" && operation !== "build") return undefined;
    if (this.flooded) return undefined;
    if (this.clock.real || !capabilities.restart)
      return "429 OFFLINE_CAPACITY: the one service for all has no room left; start it with more (the reference: serve --capacity 5000)";
    const store = ({ challenge: "challenges", verify: "sessions", build: "drafts" } as const)[operation];
    const stated = facts.capacity[store];
    const made = Object.values(this.#stored).reduce((sum, count) => sum + count, 0);
    if (stated === undefined && made > LEAST_ROOM)
      return `the service holds no more than the ${made} entries of this vector, which may be its bound; stated as the fact capacity, it is held to it`;
    if (stated === undefined || this.#stored[operation] < stated) return undefined;
    return `needs more ${store} at once than the ${stated} that the implementation states (fact capacity)`;
  }

  /** A new service: nothing of the old one counts any more. */
  async restart(): Promise<void> {
    await this.connection.start(this.clock.now());
    this.#bearers.clear();
    this.#profile = undefined;
    this.#stored = { challenge: 0, verify: 0, build: 0 };
  }

  /** Fills in a template from actors, captures, facts and the row of `cases`. */
  fill(template: Template): Template {
    return fill(
      template,
      (name, path) => this.#lookup(name, path),
      `${this.vector.place.file}:${this.vector.place.line}`,
    );
  }

  /** The exchange that `$name` refers to. */
  captured(reference: unknown): Captured {
    const name = String(reference).replace(/^\$/, "");
    const exchange = this.captures.get(name);
    if (exchange === undefined) throw new BadStep(`$${name} is no exchange of an earlier step`);
    return exchange;
  }

  /** Sends a request, judges the answer by all that holds in any situation, and records both. */
  async exchange(request: ServiceRequest, at: StepPlace): Promise<Exchange> {
    const { plannedMs } = this;
    const sentAt = this.clock.now();
    const clockMs = this.elapsedMs;
    const answer = readEnvelope(await this.connection.handle(request));
    const answeredAt = this.clock.now();
    const operation = operationOf(request.method, request.path);
    const exchange: Exchange = { operation, request, ...answer, sentAt, answeredAt, plannedMs };
    this.#judge(exchange, at, clockMs);
    this.#exchanges.push({ at, clockMs, exchange });
    if (exchange.status !== 200) return exchange;
    if (operation === "platform") this.#profile ??= exchange.body;
    else if (operation !== "other") this.#stored[operation] += 1;
    return exchange;
  }

  #judge(exchange: Exchange, at: StepPlace, clockMs: number): void {
    const { schemas, resolutionMs, clockToleranceMs } = this.stage;
    const context = {
      facts: this.connection.info.facts,
      resolutionMs,
      clockToleranceMs,
      profile: this.#profile,
    };
    const { mismatches, observations, advice } = judgeExchange(exchange, schemas, context);
    this.observations.push(...observations);
    this.advice.push(...advice);
    for (const [rule, differences] of differencesByRule(mismatches)) {
      const failure: Failure = {
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
      };
      (this.vector.rules.includes(rule) ? this.failures : this.incidental).push(failure);
    }
  }

  #lookup(name: string, path: readonly string[]): Template {
    const { metadataHosts, operatorKey } = this.connection.info.facts;
    switch (name) {
      case "case":
        return at(this.fill(this.vector.row[path[0] ?? ""] ?? null), path.slice(1));
      case "index":
        return this.index;
      case "hostA":
        return metadataHosts[0];
      case "hostB":
        return metadataHosts[1];
      case "operatorKey":
        return operatorKey ?? null;
      case "platform":
        return at((this.#profile ?? {}) as Template, path);
      default: {
        if (CAST.has(name)) return this.keyPair(name).address;
        const exchange = this.captured(name);
        const { operation, status, body } = exchange;
        // Of a whole answer, what the contract names: whether there is more is open, and may be another each time.
        if (path.length === 0 && status === 200) return this.stage.schemas.named(operation, body) as Template;
        return path[0] === "status" ? (exchange.status ?? null) : at(exchange.body as Template, path);
      }
    }
  }
}

function at(value: Template, path: readonly string[]): Template {
  return path.reduce<Template>((inner, key) => {
    if (inner === null || typeof inner !== "object" || !Object.hasOwn(inner, key)) return null;
    return (inner as Record<string, Template>)[key] ?? null;
  }, value);
}
