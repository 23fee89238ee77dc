/** The events of one trial, as plain data. Rules read nothing else. */
import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { Facts, Request } from "../adapters/adapter.ts";
import type { SignedBytes } from "../adapters/info.ts";
import { type Operation, operationOf } from "../contract/constants.ts";
import { type Exchange, readInput } from "../contract/exchange.ts";
import type { KeyPair } from "../contract/key-pair.ts";
import { BODY_FIELDS } from "../contract/refusals.ts";
import { isObject, type JsonObject } from "../data/json.ts";
import { type Fault, type LaunchStep, RESULT_KINDS } from "./trial.ts";

/** Request as a client sends it. `path` includes the query. */
export interface SentRequest extends Pick<Request, "method" | "path"> {
  /** All values of each header. Names are in lowercase. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly bytes: Buffer;
}

/** Request as the simulated service received it. */
export interface ClientRequest extends SentRequest, Request {}

/** How a launch ended: with a result (unchecked), with an error, or stopped by the kit at a limit. */
export type LaunchEnd =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly reason: string }
  | { readonly kind: "timeout" | "request limit" };

/** Launch that the client performed. */
export interface Launch {
  /** ID of the task. A repeat has the ID of the launch that it repeats. */
  readonly id: string;
  readonly step: LaunchStep;
  readonly creator: KeyPair;
  /** Seed and public key, 64 bytes together, as in wallets. */
  readonly secretKey: Buffer;
  /** The five fields that a build of this launch sends. */
  readonly input: JsonObject;
  /** Number of requests and responses in the trial before the launch. */
  readonly startIndex: number;
  /** Exchanges whose requests the launch may have sent, in order. */
  readonly exchanges: ClientExchange[];
  end: LaunchEnd;
  /** Real time until the end, in ms. */
  durationMs: number;
  /** Whether the launch ended after its usual deadline. */
  isPastDeadline: boolean;
}

/** The content of a request, which is known when it arrives. */
export interface ReadRequest extends Pick<Exchange, "operation" | "input"> {
  readonly request: ClientRequest;
  /** Path without the query. */
  readonly path: string;
  readonly query: string;
  /** Fields of the body. Empty unless the body is a JSON object that all parsers read alike. */
  readonly fields: JsonObject;
}

/**
 * One request and its response. The indexes count all requests and responses of the trial in order. Rules
 * compare indexes, because several events can have the same time on a virtual clock.
 */
export interface ClientExchange extends ReadRequest, Omit<Exchange, "request"> {
  /** Launches that may have sent the request: those of the creator that it names, or all in progress. */
  readonly launches: readonly Launch[];
  readonly sentIndex: number;
  /** Infinity until the response is sent or lost. */
  readonly answeredIndex: number;
  /** Applied faults, merged into one. */
  readonly fault: Fault;
  /** Status of a response whose second half was lost. The client may have read the status. */
  readonly halfStatus?: number;
}

/** Everything that happened in one trial. */
export interface History {
  readonly launches: readonly Launch[];
  readonly exchanges: readonly ClientExchange[];
  readonly signedBytes: SignedBytes;
  /** Factor by which the task asks the client to multiply its waits. */
  readonly waitScale: number;
  /** Number of required faults that were not applied. If it is not 0, the trial tests no rule. */
  readonly missingFaults: number;
  /** Text that the client wrote to standard error. */
  readonly log: string;
  /** Whether the machine was too busy to judge how launches end. */
  readonly isDelayed: boolean;
  readonly facts: Facts;
}

/** Reads a request: its operation, query, and fields. */
export function readRequest(sent: SentRequest): ReadRequest {
  const { method, bytes } = sent;
  const bearer = /^Bearer (.*)$/s.exec(onlyHeader(sent, "authorization") ?? "")?.[1];
  const idempotencyKey = onlyHeader(sent, "idempotency-key");
  const [path = "", query = ""] = sent.path.split(/\?(.*)/s);
  const isText = isUtf8(bytes) && bytes.subarray(0, 3).toString("hex") !== "efbbbf";
  const input = isText && bytes.length > 0 ? readInput(bytes) : undefined;
  return {
    request: {
      ...sent,
      ...(bytes.length > 0 && { body: isText ? bytes.toString() : bytes }),
      ...(bearer !== undefined && { bearer }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    },
    operation: operationOf({ method, path }),
    path,
    query,
    input,
    fields: input ?? {},
  };
}

/** Returns the value of a header, or undefined if it is absent or repeated. */
function onlyHeader({ headers }: SentRequest, name: string): string | undefined {
  const [value, ...others] = headers[name] ?? [];
  return others.length === 0 ? value : undefined;
}

/** Returns the exchanges of an operation in a trial or in one launch. */
export function exchangesOf(operation: Operation, { exchanges }: Pick<History, "exchanges">) {
  return exchanges.filter((exchange) => exchange.operation === operation);
}

/** Returns whether the service itself sent a response with one of these statuses. */
export function hasStatus(exchange: ClientExchange, ...statuses: readonly number[]): boolean {
  const { status } = exchange;
  return status !== undefined && !isOfGateway(exchange) && statuses.includes(status);
}

/** Returns whether a gateway sent the response in its own name. It shows nothing about the service. */
export function isOfGateway({ fault }: ClientExchange): boolean {
  return fault.gateway !== undefined || fault.redirect !== undefined;
}

/** Returns whether the client cannot know the outcome: the response is lost, or has status 500 or higher. */
export function hasUnknownOutcome(exchange: ClientExchange): boolean {
  const { status } = exchange;
  return status === undefined || status >= 500 || isOfGateway(exchange);
}

/** Returns whether the response to a request arrived before the client sent a later request. */
export function isAnsweredBefore(earlier: ClientExchange, later: ClientExchange): boolean {
  return earlier.status !== undefined && earlier.answeredIndex < later.sentIndex;
}

/**
 * Returns whether two requests are certainly of the same launch. A rule must not assume that two launches
 * know each other's responses, because they can be separate processes.
 */
export function areOfSameLaunch(first: ClientExchange, second: ClientExchange): boolean {
  const [launch] = first.launches;
  return first.launches.length === 1 && second.launches.length === 1 && second.launches[0] === launch;
}

/** Returns whether the response to an earlier request of the same launch arrived before a later request. */
export function isKnownBefore(earlier: ClientExchange, later: ClientExchange): boolean {
  return isAnsweredBefore(earlier, later) && areOfSameLaunch(earlier, later);
}

/** Returns the exchanges of an operation whose responses arrived before the client sent a later request. */
export function answeredBefore(later: ClientExchange, operation: Operation, history: History) {
  return exchangesOf(operation, history).filter((earlier) => isAnsweredBefore(earlier, later));
}

/** Returns the exchange that issued the challenge of a proof. */
export function challengeOf(proof: ClientExchange, history: History): ClientExchange | undefined {
  return answeredBefore(proof, "challenge", history).find(
    (challenge) => hasStatus(challenge, 200) && challenge.body["id"] === proof.fields["id"],
  );
}

/** Returns the proof that opened the session of a build. */
export function sessionOf(build: ClientExchange, history: History): ClientExchange | undefined {
  const { bearer } = build.request;
  const proofs = bearer === undefined ? [] : answeredBefore(build, "verify", history);
  return proofs.find((proof) => proof.body["bearer"] === bearer);
}

/** Returns the five fields of a build. */
export function inputOf({ fields }: ClientExchange): JsonObject {
  return Object.fromEntries(BODY_FIELDS.build.map((name) => [name, fields[name]]));
}

export function haveSameInput(first: ClientExchange, second: ClientExchange): boolean {
  return isDeepStrictEqual(inputOf(first), inputOf(second));
}

/** Returns the result of a launch, or undefined if the result is not of exactly one kind. */
export function resultOf({ end }: Launch) {
  if (end.kind !== "result" || !isObject(end.result)) return undefined;
  const { result } = end;
  const [kind, ...otherKinds] = RESULT_KINDS.filter((name) => result[name] !== undefined);
  return kind === undefined || otherKinds.length > 0 ? undefined : { kind, value: result[kind] };
}
