/**
 * The simulated service of one trial: the reference with a separate identity, and the faults of the trial.
 */
import { createHash } from "node:crypto";
import type { Facts, Service } from "../../adapters/adapter.ts";
import { InProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import type { SignedBytes } from "../../adapters/info.ts";
import type { Json } from "../../adapters/json.ts";
import { ROUTES } from "../../contract/constants.ts";
import { type KeyPair, keyPairOf } from "../../contract/key-pair.ts";
import { parseDuration } from "../../suite/compile.ts";
import { fillTemplate } from "../../suite/template.ts";
import type { ClientExchange } from "../history.ts";
import type { Fault, Trial } from "../trial.ts";
import { FaultScript, mergeFaults } from "./fault-script.ts";
import { applyFault, type ClientResponse, type Envelope } from "./response.ts";
import { Translator } from "./translator.ts";

/** Module of the reference. Its services take more options than the adapter protocol has. */
export interface ReferenceModule extends ServiceModule {
  createService(options: {
    readonly now: () => number;
    readonly random?: (bytes: number) => Uint8Array;
    readonly capacity?: Trial["capacity"];
  }): unknown;
}

type ReadRequest = Pick<ClientExchange, "request" | "operation" | "path" | "query" | "input" | "fields">;

/** Response, or undefined if it is lost, and the merged faults that were applied. */
export interface ServiceAnswer {
  readonly response: ClientResponse | undefined;
  readonly fault: Fault;
}

/** `isApplied` is false if the reference refused the request and so left nothing for the fault to change. */
interface ProcessedRequest {
  readonly envelope: Envelope | undefined;
  readonly isApplied: boolean;
}

/** Faults that also change a refusal. All others change only a response with status 200. */
const FAULTS_OF_REFUSALS = [
  "headers",
  "spelling",
  "delay",
  "add",
  "pass",
  "restart",
] as const satisfies readonly (keyof Fault)[];

export interface SimulationOptions {
  readonly reference: ReferenceModule;
  readonly trial: Trial;
  /** Seed of all keys. */
  readonly seed: number;
  /** Returns the time of the client's clock, in ms since the Unix epoch. */
  readonly clientNow: () => number;
  /** The bytes that the client signs. */
  readonly signedBytes: SignedBytes;
}

export class SimulatedService {
  readonly facts: Facts;
  readonly #label: string;
  readonly #seed: number;
  readonly #clientNow: () => number;
  readonly #adapter: InProcessAdapter;
  readonly #translator: Translator;
  readonly #faultScript: FaultScript;
  readonly #refusals = new RefusalMemory();
  readonly #actors = new Map<string, KeyPair>();
  #reference: Service | undefined;
  /** Time by which the service's clock is ahead of the client's. */
  #clockLeadMs = 0;
  #randomCallCount = 0;

  private constructor({ reference, trial, seed, clientNow, signedBytes }: SimulationOptions) {
    this.#label = `${seed} ${trial.id}`;
    this.#seed = seed;
    this.#clientNow = clientNow;
    this.#adapter = new InProcessAdapter({
      ...reference,
      createService: ({ now }) => {
        const random = (byteCount: number) => this.#randomBytes(byteCount);
        return reference.createService({ now, random, capacity: trial.capacity });
      },
    });
    this.facts = this.#adapter.info.facts;
    this.#translator = new Translator(this.#label, signedBytes, (address) =>
      [...this.#actors.values()].find((pair) => pair.address === address),
    );
    this.#faultScript = new FaultScript(trial.faults);
  }

  static async start(options: SimulationOptions): Promise<SimulatedService> {
    const service = new SimulatedService(options);
    await service.restart();
    const profile = (await service.#reference?.handle(ROUTES.platform)) as Envelope;
    service.#translator.readProfile(profile.body);
    return service;
  }

  /** Returns the label from which to derive an actor's key pair. Only victor's is the same in every trial. */
  labelOf(actor: string): string {
    return actor === "victor" ? `client ${this.#seed} victor` : `client ${this.#label} ${actor}`;
  }

  actor(name: string): KeyPair {
    const label = this.labelOf(name);
    const pair = this.#actors.get(label) ?? keyPairOf(label);
    this.#actors.set(label, pair);
    return pair;
  }

  /** Returns a value of a suite with the names of hosts and actors filled in. */
  readonly fillIn = (value: Json): Json => {
    const [hostA, hostB] = this.facts.metadataHosts;
    const hosts: Readonly<Record<string, string>> = { hostA, hostB };
    return fillTemplate(value, (name) => hosts[name] ?? this.actor(name).address);
  };

  /** Number of faults that the script requires and that were not applied. */
  get missingFaults(): number {
    return this.#faultScript.missing;
  }

  /** Ends the service and starts a new one, which remembers nothing. */
  async restart(): Promise<void> {
    this.#refusals.clear();
    this.#reference = await this.#adapter.start(this.#now);
  }

  /** Returns the creator that a request names by its challenge, session, or body, if any. */
  creatorOf(request: ReadRequest): unknown {
    return this.#translator.creatorOf(request);
  }

  async respond(request: ReadRequest): Promise<ServiceAnswer> {
    const creator = this.creatorOf(request);
    const isSentBy = (actor: string) => this.actor(actor).address === creator;
    const scriptedFaults = this.#faultScript.next(request.operation, isSentBy);
    const fault = mergeFaults(scriptedFaults);
    const { envelope, isApplied } = await this.#process(request, fault);
    if (isApplied) this.#faultScript.markApplied(scriptedFaults);
    return {
      response: envelope === undefined ? undefined : applyFault(envelope, fault, this.fillIn),
      fault: isApplied ? fault : {},
    };
  }

  get #now(): number {
    return this.#clientNow() + this.#clockLeadMs;
  }

  async #process(request: ReadRequest, fault: Fault): Promise<ProcessedRequest> {
    const replaceBy = (envelope: Envelope | undefined) => ({ envelope, isApplied: true });
    if (fault.restart === true) await this.restart();
    if (fault.lose === "request") return replaceBy(undefined);
    const refusal = fault.refuse === undefined ? this.#refusals.find(request) : refusalOf(fault.refuse);
    if (refusal !== undefined) {
      this.#refusals.remember(request, refusal);
      return replaceBy(refusal);
    }
    const error = fault.status === undefined ? undefined : errorOf(fault.status);
    if (error !== undefined && fault.effect !== true) return replaceBy(error);
    const envelope = await this.#callReference(request, fault);
    this.#clockLeadMs += parseDuration(fault.pass ?? "0ms") ?? 0;
    if (fault.lose === "answer") return replaceBy(undefined);
    if (error !== undefined) return replaceBy(error);
    const isApplied = envelope.status === 200 || FAULTS_OF_REFUSALS.some((name) => name in fault);
    return { envelope, isApplied };
  }

  async #callReference(request: ReadRequest, fault: Fault): Promise<Envelope> {
    const lagMs = this.#now - (this.#reference?.nowMs ?? 0);
    if (lagMs > 0) await this.#reference?.advance(lagMs);
    const envelope = (await this.#reference?.handle(this.#translator.toReference(request))) as Envelope;
    if (envelope.status !== 200) return envelope;
    return { ...envelope, body: this.#translator.fromReference(request, envelope.body, fault) };
  }

  /** Returns bytes that depend only on the seed, the trial, and the number of earlier calls. */
  #randomBytes(byteCount: number): Uint8Array {
    const hash = createHash("shake256", { outputLength: byteCount });
    return hash.update(`${this.#label} ${this.#randomCallCount++}`).digest();
  }
}

/**
 * Refusals by the script that the service has to repeat: a challenge or a bearer that got 401, and an
 * idempotency key that got 409.
 */
class RefusalMemory {
  readonly #refusals = new Map<string, Envelope>();

  find(request: ReadRequest): Envelope | undefined {
    for (const status of [401, 409]) {
      const refusal = this.#refusals.get(subjectOf(request, status) ?? "");
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  remember(request: ReadRequest, refusal: Envelope): void {
    const subject = subjectOf(request, refusal.status);
    if (subject !== undefined) this.#refusals.set(subject, refusal);
  }

  clear(): void {
    this.#refusals.clear();
  }
}

/**
 * Returns what a refusal with this status is about, or undefined if the service does not have to repeat it.
 */
function subjectOf({ operation, fields, request }: ReadRequest, status: number): string | undefined {
  if (operation === "verify" && status === 401) return `challenge ${fields["id"]}`;
  if (operation === "build" && status === 401) return `bearer ${request.bearer}`;
  if (operation === "build" && status === 409) return `key ${fields["creator"]} ${request.idempotencyKey}`;
  return undefined;
}

/** @param refuse status and code, such as `429 OFFLINE_CAPACITY` */
function refusalOf(refuse: string): Envelope {
  const [status, code] = refuse.split(" ");
  return { status: Number(status), body: { code, productionApproved: false } };
}

function errorOf(status: number): Envelope {
  return { status, body: { code: "INTERNAL_ERROR", productionApproved: false } };
}
