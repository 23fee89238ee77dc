import { AdapterFault, type Connection, type ImplementationInfo } from "../../adapters/adapter.ts";
import type { Property, Stage } from "../contract.ts";
import { endedBy } from "../play/breakage.ts";
import type { Result } from "../play/result.ts";
import { type Shard, stretchOf } from "../run/shard.ts";
import { unmetNeed } from "../vectors/need.ts";
import { casesOf } from "./cases.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";

/** What the properties are run with. */
export interface RunPropertiesOptions {
  readonly properties: readonly Property[];
  /** Opens a connection: the first, and another after a fault that ended one. */
  readonly connect: () => Promise<Connection>;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  /** How many random cases each property tries: `DEFAULT_RUNS` unless the user asks for more. */
  readonly runs: number;
  /** How many requests each case may spend: see `PropertyRun`. */
  readonly requestsOfCase?: number;
  /** Whose share of the cases to try; all unless told. A property of which a shard has no case gives no result. */
  readonly shard?: Shard;
  /** Which properties, by id; all unless told. */
  readonly chosen?: (id: string) => boolean;
  /** Asked before each property: whether to stop, and why. */
  readonly stopped?: () => string | undefined;
  readonly onResult?: (result: Result) => void;
}

const WHOLE: Shard = { index: 1, of: 1 };

/**
 * Tries every property and gives a result for each. The same seed tries the same cases on every machine. Never throws
 * for anything that an implementation does: a fault of the adapter becomes a result with outcome `error`.
 */
export async function runProperties(options: RunPropertiesOptions): Promise<readonly Result[]> {
  const { info, chosen = () => true, stopped = () => undefined, onResult } = options;
  const { runs, shard = WHOLE, stage, requestsOfCase } = options;
  const budget = requestsOfCase === undefined ? {} : { requestsOfCase };
  const results: Result[] = [];
  let connection: Connection | undefined;
  for (const property of options.properties.filter((candidate) => chosen(propertyId(candidate)))) {
    const cases = stretchOf(casesOf(property, runs), shard);
    if (cases.count === 0) continue;
    const reason = stopped();
    const skip = reason === undefined ? unmetNeed(property.needs, info) : { reason };
    let result = skip === undefined ? undefined : untriedProperty(property, "skipped", skip);
    if (result === undefined) {
      try {
        connection ??= await options.connect();
        result = propertyResult(property, await property.check({ connection, stage, cases, ...budget }));
      } catch (error) {
        if (!(error instanceof AdapterFault)) throw error;
        result = { ...untriedProperty(property, "error"), ...endedBy(error) };
        await connection?.close();
        connection = undefined;
      }
    }
    results.push(result);
    onResult?.(result);
  }
  await connection?.close();
  return results;
}
