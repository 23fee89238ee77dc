import type { AdapterFault, ImplementationInfo } from "../../adapters/adapter.ts";
import type { Property, Stage } from "../contract.ts";
import { endedBy } from "../play/breakage.ts";
import type { Result } from "../play/result.ts";
import { type Parts, stretchOf } from "../run/shard.ts";
import { unmetNeed } from "../vectors/need.ts";
import { casesOf } from "./cases.ts";
import type { Ground, Grounds } from "./grounds.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";

/** What the properties are run with. */
export interface RunPropertiesOptions {
  readonly properties: readonly Property[];
  readonly grounds: Grounds;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  /** How many random cases each property tries: `DEFAULT_RUNS` unless the user asks for more. */
  readonly runs: number;
  /** How many requests each case may spend: see `PropertyRun`. */
  readonly requestsOfCase?: number;
  /** Whose share of the cases to try; all unless told. A property of which a shard has no case gives no result. */
  readonly shard?: Parts;
  /** Which properties, by id; all unless told. */
  readonly chosen?: (id: string) => boolean;
  /** Asked before each property: whether to stop, and why. */
  readonly stopped?: () => string | undefined;
  readonly onResult?: (result: Result) => void;
}

const WHOLE: Parts = { index: 1, of: 1 };

/**
 * Tries every property and gives a result for each. The same seed tries the same cases on every machine. Never throws
 * for anything that an implementation does: a fault of the adapter becomes a result with outcome `error`.
 */
export async function runProperties(options: RunPropertiesOptions): Promise<readonly Result[]> {
  const { info, chosen = () => true, stopped = () => undefined, onResult } = options;
  const { runs, shard = WHOLE, stage, requestsOfCase } = options;
  const budget = requestsOfCase === undefined ? {} : { requestsOfCase };
  const tried = options.properties.flatMap((property) => {
    const cases = stretchOf(casesOf(property, runs), shard);
    if (cases.count === 0 || !chosen(propertyId(property))) return [];
    const attempt = async (ground: Ground) => {
      const reason = stopped();
      const skip = reason === undefined ? unmetNeed(property.needs, info) : { reason };
      if (skip !== undefined) return untriedProperty(property, "skipped", skip);
      return propertyResult(property, await property.check({ ...ground, stage, cases, ...budget }));
    };
    const broken = (fault: AdapterFault) => ({ ...untriedProperty(property, "error"), ...endedBy(fault) });
    return options.grounds.search(attempt, broken).then((result) => {
      onResult?.(result);
      return result;
    });
  });
  return Promise.all(tried);
}
