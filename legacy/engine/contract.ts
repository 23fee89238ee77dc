/**
 * What the engine is told of a contract: the one interface between the two. The engine plays, searches, runs and judges
 * whatever is handed to it in this form, and knows nothing else of the service; legacy/contract makes the value.
 */
import type { Connection, ImplementationInfo, ServiceRequest } from "../adapters/adapter.ts";
import type { Outcome } from "./outcome.ts";
import type { Exchange, StepPlace } from "./play/exchange.ts";
import type { Advice, Judgement, Observation } from "./play/judgement.ts";
import type { Measured, Room } from "./play/measured.ts";
import type { RequestKind } from "./play/request-kind.ts";
import type { Failure, Looked, Result, TraceEntry } from "./play/result.ts";
import type { Timekeeping } from "./play/timekeeping.ts";
import type { RuleBook } from "./rule-book.ts";
import type { Shard, Stretch } from "./run/shard.ts";
import type { Need } from "./vectors/need.ts";
import type { VectorOrder } from "./vectors/order.ts";
import type { CustomStep, OperationStep, Template } from "./vectors/vector.ts";

/** A contract that implementations are judged by. */
export interface Contract extends RuleBook {
  /** Its name, as the adapter protocol's `initialize` and reports say it. */
  readonly id: string;
  readonly vocabulary: Vocabulary;
  readonly operations: Operations;
  readonly time: TimeRules;
  readonly identity: Identity;
  /** The order in which vectors are played and told; that of the files, unless told. */
  readonly order?: VectorOrder;
  /** What the people of one vector know and hold, for as long as it is played. */
  world(host: WorldHost): World;
  /**
   * Measures how a service keeps time, where its time can be moved. Starts a service for it.
   * @param label what the labels of the people who ask begin with
   * @param startMs where the clock begins, between two seconds
   * @throws {AdapterFault} where the implementation breaks
   */
  measureTimekeeping(connection: Connection, label: string, startMs: number): Promise<Timekeeping>;
  /**
   * Measures how little a service holds where its facts do not state it. Starts services for it.
   * @param label what the labels of the people who ask begin with
   * @throws {AdapterFault} where the implementation breaks
   */
  measureRoom(connection: Connection, label: string, startMs: number): Promise<Room>;
  /**
   * Asks the adapter what it takes to judge an answer besides the answer itself: the exchange's `aside`.
   * @returns undefined where there is nothing to ask
   * @throws {AdapterFault} where the adapter does not tell
   */
  askAside?(
    answer: Pick<Exchange, "operation" | "status" | "body">,
    connection: Connection,
  ): Promise<unknown> | undefined;
  /** What is searched for, with the contract's model and commands; loaded only where something is. */
  searches(): Promise<Searches>;
  /** The ids of what is searched for, where they are known without loading it. */
  searchIds?(): SearchIds | undefined;
}

/** What a vector may say beyond what the engine itself understands (`advance`, `repeat`, `compare` and so on). */
export interface Vocabulary {
  /** Verbs whose step is one request, or ends in one. */
  readonly operations: ReadonlySet<string>;
  /** Of these, the verbs that are several requests: none of them can be in flight together with others. */
  readonly composite: ReadonlySet<string>;
  /** Verbs of the contract's own that do something else, with what their steps need of the implementation. */
  readonly custom: ReadonlyMap<string, readonly Need[]>;
  /** Names of people and things that each vector has for itself. */
  readonly cast: ReadonlySet<string>;
  /** Other names that every vector may use, with the fact that a name needs where it may be unknown. */
  readonly provided: ReadonlyMap<string, string | undefined>;
  /** Fields of an operation that only one way to reach an implementation can carry, with that way as a need. */
  readonly fieldNeeds?: ReadonlyMap<string, Need>;
  /** Fields of an operation, dotted, that hold the bare name of one of the cast. */
  readonly castFields: readonly string[];
}

/** The operations of the contract; any other request is of operation `other`. */
export interface Operations {
  /** Which operation a request is, by its exact method and path. */
  of(method: string, path: string): string;
  /** The error code in the body of an answer, where it holds one. */
  codeOf(body: Exchange["body"]): unknown;
  /** The rule that a valid request of the operation succeeds. */
  successRule(operation: string): string | undefined;
  /** The members of a successful answer that the contract names, at any depth, and no others. */
  named(operation: string, body: Exchange["body"]): Exchange["body"];
  /** What it shows that a successful answer was given once more. */
  observeRepeat(first: Exchange, again: Exchange): readonly Observation[];
}

/** What time has to do with the answers of a service. */
export interface TimeRules {
  /** How a service is taken to keep time whose time cannot be moved, and so not measured. */
  readonly unmoved: Timekeeping;
  /** After so long, in ms, nothing of what was stored is alive. */
  readonly longestLifetimeMs: number;
  /** Minutes by which a service may count, in ms: at their end an answer may change. */
  readonly markMs: number;
  /** Whether the right answer to a request may be of this status at one time and of another at another time. */
  isTimely(status: number | undefined): boolean;
  /**
   * On what the right answer hangs, where this was expected: in ms, the periods at whose end it may become another, and
   * whether a mark of the service's clock makes a difference.
   */
  hangsOn(expected: string): { readonly periodsMs: readonly number[]; readonly marks: boolean };
}

/** How to tell the service from anything else that may answer in its place. */
export interface Identity {
  /** A request that changes nothing. */
  readonly request: ServiceRequest;
  /** Whether this body may be the service's, be it right or wrong. */
  isFamiliar(body: Readonly<Record<string, unknown>>): boolean;
  /** The rule that vectors about this request speak for. */
  readonly rule: string;
}

/** What a world may ask of the scene that it belongs to. */
export interface WorldHost {
  /** Belongs to this vector alone: what its people and things are made of. */
  readonly name: string;
  /** Belongs to the run: what the labels of all people and things begin with. */
  readonly label: string;
  readonly info: ImplementationInfo;
  /** Whether the service's time cannot be moved. */
  readonly realClock: boolean;
  /** How the service keeps time. @throws {Unmeasured} before it was measured */
  readonly timekeeping: Timekeeping;
  /** How far the service's clock may differ from the kit's, in ms. */
  readonly clockToleranceMs: number;
  /** How little the service has room for. @throws {Unmeasured} before it was measured */
  readonly room: Room;
  /** What the service's clock shows, in ms since the Unix epoch. */
  readonly nowMs: number;
  /** What the requests of the step at hand are sent for. */
  sending: RequestKind;
  /** Sends a request, judges the answer by all that holds in any situation, and records both. */
  exchange(request: ServiceRequest, at: StepPlace): Promise<Exchange>;
  /** The exchange that was answered last. */
  readonly lastExchange: Exchange | undefined;
  /** Every exchange so far, oldest first; those that the kit made on a step's behalf included. */
  readonly exchanges: readonly Exchange[];
  /** What an answer was, in two words: its status and code. */
  outcome(exchange: Exchange): string;
  /** Ends the step by the rule of the operation where a valid request did not succeed. */
  expectSuccess(exchange: Exchange, at: StepPlace): void;
  /** The rules that the vector speaks for, where a step has none of its own. */
  readonly rules: readonly string[];
  /** Ends a step that did not get what it must. */
  unmet(at: StepPlace, rules: readonly string[], exchange: Exchange | undefined, told: Told): never;
  /** Records a reading of an open point. */
  observe(observation: Observation): void;
  /** Records something legal, yet unsafe or hard on clients. */
  advise(advice: Advice): void;
  /** The exchange that `$name` refers to. */
  captured(reference: unknown): Exchange;
  /** Fills in a template. */
  fill(template: Template): Template;
}

/** How a step went wrong, in words. */
export interface Told {
  readonly message: string;
  readonly expected: string;
  readonly got: string;
  /** Any of these would have done, where it is the status and code of one answer that are wrong. */
  readonly accepted?: readonly Outcome[];
}

/** Why a refusal is held against nobody: the implementation may have no room, or no time yet. */
export interface Waiver {
  /** In words, for people. */
  readonly reason: string;
  /** What the implementation lacks, where the user can give it (`ROOM`). */
  readonly lacks?: readonly string[];
}

/** The contract's side of one vector in play. */
export interface World {
  /** Sends what a step stands for, and before it what it needs. */
  perform(step: OperationStep, at: StepPlace): Promise<Exchange>;
  /** The request that a step stands for; sends what it needs first. */
  prepare(step: OperationStep, at: StepPlace): Promise<ServiceRequest>;
  /** Plays a step of one of the contract's own verbs; gives the exchange that its name stands for. */
  play(step: CustomStep, at: StepPlace): Promise<Exchange | undefined>;
  /** Judges an answer by all that holds for such an answer in any situation. */
  judge(exchange: Exchange): Judgement;
  /** As {@link judge}, but for mismatches alone: what was found right before need not be looked at again. */
  judgeQuickly(exchange: Exchange): Judgement["mismatches"];
  /** Takes note of an answer, once it was judged. */
  note(exchange: Exchange): void;
  /** The value of one of the vocabulary's names; undefined where it has no such name. */
  lookup(name: string, path: readonly string[]): Template | undefined;
  /** Why this refusal may rightly come, whatever was expected: the implementation may have no room. */
  waiver(exchange: Exchange): Waiver | undefined;
  /** Whether this answer, though not the service's own, may stand where one of its refusals was expected. */
  mayStandIn?(exchange: Exchange): boolean;
  /** The service was started anew: nothing of the old one counts any more. */
  restarted(): void;
  /** From here on another sequence is played on the same service: what names stand for is chosen anew. */
  nextSequence(): void;
}

/** What stays the same for every vector of a run. */
export interface Stage {
  readonly contract: Contract;
  readonly seed: number;
  /** Sets the people of this run apart from those of others, which the service may remember. */
  readonly salt?: string;
  /** What was measured of the service. */
  readonly measured: Measured;
  /** How far the service's clock may differ from the kit's, in ms. */
  readonly clockToleranceMs: number;
  /** Whether vectors are played once more, on a service that may remember their people: these are others. */
  readonly again?: true;
}

/** All that searches a service for what no vector shows. */
export interface Searches {
  /** In the order in which they run. */
  readonly properties: readonly Property[];
  readonly exhaustive: ExhaustiveProperty;
}

/** Ids of all that a contract searches for. */
export interface SearchIds {
  /** In the order in which they run. */
  readonly properties: readonly string[];
  readonly exhaustive: string;
}

/** What a search speaks for, and what it needs. */
export interface PropertyDescription {
  /** `property/<name>` is its id. */
  readonly name: string;
  readonly title: string;
  /** What is drawn, or gone through. */
  readonly tries: string;
  /** The rules that it speaks for. */
  readonly rules: readonly string[];
  readonly needs: readonly Need[];
}

/** Something that holds for every case of a kind, tried on random ones. */
export interface Property extends PropertyDescription {
  /** How many cases cost as much as one usual run; 1 unless told. */
  readonly perRun?: number;
  /** @throws {AdapterFault} where the implementation cannot be driven */
  check(run: PropertyRun): Promise<PropertyOutcome>;
}

/** What a property is tried with. */
export interface PropertyRun {
  readonly connection: Connection;
  readonly stage: Stage;
  /** Which of the property's random cases to try: all, or the stretch of a shard. */
  readonly cases: Stretch;
  /** How many requests a case may spend on what is looked at quickly; any number unless told. */
  readonly requestsOfCase?: number;
}

/** What a property showed. */
export interface PropertyOutcome {
  /** How it fails, if it does: the shortest case that was found. */
  readonly failure?: Failure;
  /** The same case as a vector. */
  readonly vector?: string;
  /** How many random cases were tried, the first that fails included. */
  readonly tried?: number;
  readonly looked?: Looked;
  readonly trace: readonly TraceEntry[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
}

/** The search that tries every sequence of a few commands. */
export interface ExhaustiveProperty extends PropertyDescription {
  /** How many sequences of so many commands there are. */
  count(depth: number): number;
  /** @throws {AdapterFault} where the implementation cannot be driven */
  search(options: ExhaustiveOptions): Promise<ExhaustiveOutcome>;
}

export interface ExhaustiveOptions {
  readonly connection: Connection;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  /** Commands of a sequence: 1 or more. Time grows about fifteenfold with each. */
  readonly depth: number;
  /** After so many steps no further sequence is begun. */
  readonly mostSteps?: number;
  /** Which part of the sequences to try, where several share them. */
  readonly shard?: Shard;
  readonly onProgress?: (progress: SearchProgress) => void;
  /** Asked before and now and then in the search: whether to stop, and why. */
  readonly stopped?: () => string | undefined;
}

/** How far an exhaustive search has come. */
export interface SearchProgress {
  /** Those of which every step was played. */
  readonly sequences: number;
  /** Those of which a step could not be: the service had no room for it. */
  readonly leftOut: number;
  readonly ofSequences: number;
  /** Requests, clock steps and restarts. */
  readonly steps: number;
  /** Whether that is all that is tried. */
  readonly ended: boolean;
}

/** What an exhaustive search came to: its result, for the report, and how much was tried. */
export interface ExhaustiveOutcome extends SearchProgress {
  readonly result: Result;
}
