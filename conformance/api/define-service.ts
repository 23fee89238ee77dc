import type { Capabilities, ImplementationInfo } from "../adapters/adapter.ts";
import type { ServiceCall } from "../adapters/service-call.ts";
import type { StatedFacts } from "./target.ts";

/** What a call of a service gives: the contract's envelope. */
export interface Envelope {
  readonly status: number;
  /** A value that JSON can hold. */
  readonly body: unknown;
}

/** A running service. */
export interface DefinedHandler {
  /** Serves one call. */
  handle(call: ServiceCall): Envelope | Promise<Envelope>;
}

/** An implementation in JavaScript or TypeScript, whole (adapter protocol, "In process"). */
export interface ServiceDefinition {
  /** Makes a service with empty state. `now` gives milliseconds since the Unix epoch: the only clock that counts. */
  createService(options: { readonly now: () => number }): DefinedHandler | Promise<DefinedHandler>;
  /** What nobody can observe. */
  readonly facts: StatedFacts;
  /** What the service can be asked to do; all of it unless told. */
  readonly capabilities?: Partial<Capabilities>;
  /** Who answers, for the report. */
  readonly implementation?: ImplementationInfo["implementation"];
  /** What a client signs for a message, where `facts.signedBytes` is `adapter`. */
  bytesToSign?(message: string): Uint8Array | Promise<Uint8Array>;
}

/**
 * Gives a service back as it is; the compiler checks it on the way. As a module's default export the command line and
 * `judge` take it (`--module`, `{ module }`), and as an object `judge` does (`{ service }`).
 */
export function defineService(service: ServiceDefinition): ServiceDefinition {
  return service;
}
