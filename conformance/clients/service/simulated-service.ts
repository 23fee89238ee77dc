/** The simulated service of a trial: the reference with its own keys and terms hash, and scripted faults. */
import { createHash } from "node:crypto";
import type { Facts } from "../../adapters/adapter.ts";
import type { SignedBytes } from "../../adapters/info.ts";
import { ROUTES } from "../../contract/constants.ts";
import { type KeyPair, keyPairOf } from "../../contract/key-pair.ts";
import type { Json } from "../../data/json.ts";
import { parseDuration } from "../../suite/compile.ts";
import { fillTemplate } from "../../suite/template.ts";
import type { ReadRequest } from "../history.ts";
import type { Fault, ScriptedFault, Trial } from "../trial.ts";
import { applyFault, type ClientResponse, type Envelope } from "./response.ts";
import { Translator } from "./translator.ts";

/** Module of the reference. */
export interface ReferenceModule {
  readonly facts: Facts;
  createService(options: {
    readonly now: () => number;
    readonly random: (bytes: number) => Uint8Array;
    readonly capacity: Trial["capacity"];
  }): { handle(request: object): Envelope };
}

/** Faults that also change a refusal. All others change only a response with status 200. */
const REFUSAL_FAULTS: readonly (keyof Fault)[] = ["headers", "spelling", "delay", "add", "pass", "restart"];

export class SimulatedService {
  readonly facts: Facts;
  readonly #reference: ReferenceModule;
  readonly #trial: Trial;
  readonly #seed: number;
  readonly #clientNow: () => number;
  readonly #translator: Translator;
  readonly #actors = new Map<string, KeyPair>();
  /** Number of requests so far with the operation and actor of a fault. */
  readonly #requestCounts = new Map<ScriptedFault, number>();
  readonly #appliedFaults = new Set<ScriptedFault>();
  /** Scripted refusals that the service must repeat, by subject: a challenge, bearer, or Idempotency-Key. */
  readonly #refusals = new Map<string, Envelope>();
  #service: ReturnType<ReferenceModule["createService"]>;
  /** Time by which the service's clock is ahead of the client's. */
  #clockLeadMs = 0;
  #randomCallCount = 0;

  /**
   * @param seed seed of all keys
   * @param signedBytes the bytes that the client signs
   * @param clientNow returns the time of the client's clock, in ms since the Unix epoch
   */
  constructor(
    reference: ReferenceModule,
    trial: Trial,
    seed: number,
    signedBytes: SignedBytes,
    clientNow: () => number,
  ) {
    this.facts = reference.facts;
    this.#reference = reference;
    this.#trial = trial;
    this.#seed = seed;
    this.#clientNow = clientNow;
    this.#service = this.#startReference();
    const profile = this.#service.handle(ROUTES.platform).body;
    this.#translator = new Translator(this.#label, profile, signedBytes);
  }

  get #label(): string {
    return `${this.#seed} ${this.#trial.id}`;
  }

  /** Returns the text from which a key pair or an ID is derived. For victor, it is the same in all trials. */
  labelOf(name: string): string {
    return name === "victor" ? `client ${this.#seed} victor` : `client ${this.#label} ${name}`;
  }

  actor(name: string): KeyPair {
    const pair = this.#actors.get(name) ?? keyPairOf(this.labelOf(name));
    this.#actors.set(name, pair);
    return pair;
  }

  /** Returns a value of a suite in which hosts and addresses replace the names of hosts and actors. */
  readonly fillIn = (value: Json): Json => {
    const [hostA, hostB] = this.facts.metadataHosts;
    const hosts: Readonly<Record<string, string>> = { hostA, hostB };
    return fillTemplate(value, (name) => hosts[name] ?? this.actor(name).address);
  };

  /** Number of faults that the script requires and that were not applied. */
  get missingFaults(): number {
    return this.#trial.faults.filter((one) => !one.isOptional && !this.#appliedFaults.has(one)).length;
  }

  /** Ends the service and starts a new one, which remembers nothing. */
  restart(): void {
    this.#refusals.clear();
    this.#service = this.#startReference();
  }

  /** Returns the creator that a request names by its challenge, session, or body, if any. */
  creatorOf(request: ReadRequest): unknown {
    return this.#translator.creatorOf(request);
  }

  /** Returns the response, or undefined if it is lost, and the merged faults that were applied. */
  respond(request: ReadRequest): { readonly response: ClientResponse | undefined; readonly fault: Fault } {
    const scriptedFaults = this.#countRequest(request);
    const fault = mergeFaults(scriptedFaults);
    const { envelope, isApplied = true } = this.#process(request, fault);
    if (isApplied) for (const scripted of scriptedFaults) this.#appliedFaults.add(scripted);
    return {
      response: envelope && applyFault(envelope, fault, this.fillIn),
      fault: isApplied ? fault : {},
    };
  }

  #startReference() {
    return this.#reference.createService({
      now: () => this.#clientNow() + this.#clockLeadMs,
      // Bytes that depend only on the seed, the trial, and the number of earlier calls.
      random: (outputLength) => {
        const hash = createHash("shake256", { outputLength });
        return hash.update(`${this.#label} ${this.#randomCallCount++}`).digest();
      },
      capacity: this.#trial.capacity,
    });
  }

  /** Counts a request. Returns the scripted faults that apply to it. */
  #countRequest(request: ReadRequest): readonly ScriptedFault[] {
    const creator = this.creatorOf(request);
    return this.#trial.faults.filter((scripted) => {
      const { operation, actor, first, last } = scripted;
      const isCounted =
        operation === request.operation || (operation === "every" && request.operation !== "other");
      if (!isCounted || (actor !== undefined && this.actor(actor).address !== creator)) return false;
      const count = (this.#requestCounts.get(scripted) ?? 0) + 1;
      this.#requestCounts.set(scripted, count);
      return count >= first && count <= last;
    });
  }

  /**
   * Returns the response, or nothing if it is lost. `isApplied` is false if the reference refused the request
   * and so left nothing for the fault to change.
   */
  #process(request: ReadRequest, fault: Fault): { envelope?: Envelope; isApplied?: boolean } {
    if (fault.restart === true) this.restart();
    if (fault.lose === "request") return {};
    const subjects = subjectsOf(request);
    const known = Object.values(subjects).find((subject) => this.#refusals.has(subject)) ?? "";
    const refusal = fault.refuse === undefined ? this.#refusals.get(known) : errorOf(fault.refuse);
    if (refusal !== undefined) {
      const subject = subjects[refusal.status];
      if (subject !== undefined) this.#refusals.set(subject, refusal);
      return { envelope: refusal };
    }
    const error = fault.status === undefined ? undefined : errorOf(`${fault.status} INTERNAL_ERROR`);
    if (error !== undefined && fault.effect !== true) return { envelope: error };
    const creator = this.creatorOf(request);
    const signer = [...this.#actors.values()].find(({ address }) => address === creator);
    const envelope = this.#service.handle(this.#translator.toReference(request, signer));
    const isSuccess = envelope.status === 200;
    const body = isSuccess ? this.#translator.fromReference(request, envelope.body, fault) : envelope.body;
    this.#clockLeadMs += parseDuration(fault.pass ?? "0ms") ?? 0;
    if (fault.lose === "answer") return {};
    if (error !== undefined) return { envelope: error };
    const isApplied = isSuccess || REFUSAL_FAULTS.some((name) => name in fault);
    return { envelope: { ...envelope, body }, isApplied };
  }
}

/** Merges faults. Later faults override earlier ones, except for fields and headers, which are combined. */
function mergeFaults(scriptedFaults: readonly ScriptedFault[]): Fault {
  const merged: Record<string, unknown> = {};
  for (const { fault } of scriptedFaults)
    for (const [name, value] of Object.entries(fault))
      merged[name] = typeof value === "object" ? { ...(merged[name] as object), ...value } : value;
  return merged;
}

/** Returns the bearer, key, or challenge whose refusal must be repeated, by status of the refusal. */
function subjectsOf({ operation, fields, request }: ReadRequest): Readonly<Record<number, string>> {
  if (operation === "verify") return { 401: `challenge ${fields["id"]}` };
  if (operation !== "build") return {};
  return {
    401: `bearer ${request.bearer}`,
    409: `key ${fields["creator"]} ${request.idempotencyKey}`,
  };
}

/** @param text status and code, such as `429 OFFLINE_CAPACITY` */
function errorOf(text: string): Envelope {
  const [status, code] = text.split(" ");
  return { status: Number(status), body: { code, productionApproved: false } };
}
