/** Helpers that give their argument back as it is, so that the compiler checks it on the way. */
import type { Transform } from "node:stream";
import type { Capabilities, ImplementationInfo } from "../adapters/adapter.ts";
import type { ServiceCall } from "../adapters/service-call.ts";
import type { StatedFacts } from "../cli/option-values.ts";
import type { TestEvent } from "../reports/event-report.ts";
import type { Config } from "./judge-options.ts";

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
  /** Facts that cannot be observed from outside. */
  readonly facts: StatedFacts;
  /** What the service can be asked to do; all of it by default. */
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

/** A reporter for finished runs: what node:test takes for one, too. */
export type EventReporter = ((events: AsyncGenerator<TestEvent>) => AsyncIterable<string>) | Transform;

/**
 * Gives a reporter back as it is; the compiler checks it on the way. As a module's default export the command line takes
 * it, `--reporter ./mine.ts`, and as an object `reportText` does.
 */
export function defineReporter<const Reporter extends EventReporter>(reporter: Reporter): Reporter {
  return reporter;
}

/**
 * Gives a configuration back as it is; the compiler checks it on the way.
 *
 * @example
 * export default defineConfig({ targets: { default: { module: "./service.ts", baseline: "known.yaml" } } });
 */
export function defineConfig(config: Config): Config {
  return config;
}
