import type { Connection, ImplementationInfo } from "../../adapters/adapter.ts";
import type { Advice, Observation } from "../play/judgement.ts";
import type { Failure, TraceEntry } from "../play/result.ts";
import type { Stage } from "../play/scene.ts";
import type { Stretch } from "../run/shard.ts";
import type { Need } from "../vectors/vector.ts";

/** What a property is tried with. */
export interface PropertyRun {
  readonly connection: Connection;
  readonly stage: Stage;
  /** Which of the property's random cases to try: all, or the stretch of a shard. */
  readonly cases: Stretch;
}

/** What a property showed. */
export interface PropertyOutcome {
  /** How it fails, if it does: the shortest case that was found. */
  readonly failure?: Failure;
  /** The same case as a vector. */
  readonly vector?: string;
  /** How many random cases were tried, the first that fails included. */
  readonly tried?: number;
  readonly trace: readonly TraceEntry[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
}

/** Something that holds for every case of a kind, tried on random ones. */
export interface Property {
  /** `property/<name>` is its id. */
  readonly name: string;
  readonly title: string;
  /** The rules that it speaks for. */
  readonly rules: readonly string[];
  readonly needs: readonly Need[];
  /** How many cases cost as much as one usual run; 1 unless told. */
  readonly perRun?: number;
  /** @throws {AdapterFault} where the implementation cannot be driven */
  check(run: PropertyRun): Promise<PropertyOutcome>;
}

/** The first need that an implementation does not meet, in words. */
export function unmetNeed(
  { needs }: Pick<Property, "needs">,
  { capabilities, facts }: ImplementationInfo,
): string | undefined {
  const unmet: Readonly<Record<Need, string | false>> = {
    "virtual-clock":
      capabilities.clock !== "virtual" && "needs a clock that the kit can set (capability clock: virtual)",
    restart: !capabilities.restart && "needs a service of its own that can be restarted (capability restart)",
    rawBody:
      !capabilities.rawBody && "needs the exact text of the body to reach the service (capability rawBody)",
    concurrency:
      !capabilities.concurrency && "needs requests that are in flight together (capability concurrency)",
    operatorKey: facts.operatorKey === undefined && "needs the operator key (fact operatorKey)",
  };
  return needs.map((need) => unmet[need]).find((reason) => reason !== false) as string | undefined;
}
