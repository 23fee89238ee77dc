/** What the engine is told of a contract to judge its clients: the one interface between the two. */
import type { Arbitrary } from "fast-check";
import type { YamlPath } from "../data/yaml-places.ts";
import type { YamlSource } from "../data/yaml-source.ts";
import type { Advice, Observation } from "../play/judgement.ts";
import type { RuleBook } from "../rule-book.ts";
import type { VectorOrder } from "../vectors/order.ts";
import type { ClientRequest, StagedAnswer, Trace, Violation } from "./trace.ts";

/** The clients' side of a contract. */
export interface ClientContract extends RuleBook {
  readonly id: string;
  /** The order in which vectors are played and told; that of the files, unless told. */
  readonly order?: VectorOrder;
  /**
   * Compiles what a vector says of the service and of its tasks: all but `id`, `title` and `cases`, which the engine
   * reads alone. Of a vector with cases each row is compiled by itself, its `$case.name` filled in.
   * @throws {DataError} for what the suite's schema does not show, with its place
   */
  compile(entry: Readonly<Record<string, unknown>>, source: YamlSource, path: YamlPath): ClientScenario;
  /** Sets up a service of its own that follows a script, and the tasks of a client. */
  stage(scenario: ClientScenario, host: StageHost): Promise<ClientStage>;
  /** Gives the most requests that a task is worth: more are a flood. */
  readonly mostRequests: number;
  /** A search among services and tasks that no vector has. */
  readonly search?: ClientSearch;
}

/** A search: services that follow scripts drawn at random, all of them legal. */
export interface ClientSearch {
  /** Its id in reports is `property/` and this. */
  readonly name: string;
  readonly title: string;
  /** The rules that it speaks for, whatever is drawn. */
  readonly rules: readonly string[];
  /** Draws what a vector says, as a suite has it: all but `id`, `title` and `rules`. */
  entries(): Promise<Arbitrary<Readonly<Record<string, unknown>>>>;
  /** Gives what says a little less than something drawn, those that say least first. */
  simpler(entry: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[];
}

/** What a vector says, as the contract compiled it: JSON, so that it can be prepared beforehand. */
export type ClientScenario = Readonly<Record<string, unknown>>;

/** What a stage is set up with. */
export interface StageHost {
  /** Belongs to this vector alone: what its people and things are made of. */
  readonly name: string;
  readonly seed: number;
  /** How the client's facts have it, where they say anything. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Where the client's and the service's clocks begin, in ms since the Unix epoch. */
  readonly startMs: number;
}

/** A step of a vector. */
export type StageStep =
  /** Tasks that the client is given together. */
  | { readonly kind: "tasks"; readonly tasks: readonly StagedTask[] }
  /** The service's clock is moved on, while the client has nothing to do. */
  | { readonly kind: "advance"; readonly ms: number }
  /** The service is started anew, and has forgotten all that it held in memory. */
  | { readonly kind: "restart" };

export interface StagedTask {
  /** Unique among the tasks of its vector. */
  readonly id: string;
  /** 1-based line of the vector's file. */
  readonly line: number;
  /**
   * The task as JSON, without what the engine adds: `protocol`, `contract`, `baseUrl`, `nowMs`, `deadlineMs` and
   * `retryAfterScale`.
   */
  readonly task: Readonly<Record<string, unknown>>;
}

/** A scripted service in play, and the judge of what the client does with it. */
export interface ClientStage {
  readonly steps: readonly StageStep[];
  /** Answers one request. Called again before it settles, where the client sends several at once. */
  answer(request: ClientRequest): Promise<Staged>;
  advance(ms: number): Promise<void>;
  restart(): Promise<void>;
  /** Judges all that was done. Pure. */
  judge(trace: Trace): ClientJudgement;
  close(): Promise<void>;
}

/** An answer, and what is known of it besides. */
export interface Staged {
  readonly operation: string;
  readonly answer: StagedAnswer;
  readonly tookEffect: boolean;
  readonly disturbed?: string;
  readonly serviceMs: number;
}

/** What a client's deeds showed. */
export interface ClientJudgement {
  readonly violations: readonly Violation[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
  /** What of the script never came to pass, so that the vector's rules were not tried; in words. */
  readonly unreached?: string;
}
