import { AdapterFault, type Connection, type ImplementationInfo } from "../../adapters/adapter.ts";
import type { Property, PropertyRun, Stage } from "../contract.ts";
import { endedBy, wasNotSent } from "../play/breakage.ts";
import type { Result } from "../play/result.ts";
import { type Shard, stretchOf } from "../run/shard.ts";
import { unmetNeed } from "../vectors/need.ts";
import { casesOf } from "./cases.ts";
import { connectAll } from "./connect-all.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";

/** What the properties are run with. */
export interface RunPropertiesOptions {
  readonly properties: readonly Property[];
  /** Opens a connection: the first, and another after a fault that ended one. */
  readonly connect: () => Promise<Connection>;
  /** How many services may be asked side by side; one unless told. */
  readonly lanes?: number;
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
  const lanes = new Lanes(options);
  for (const property of options.properties.filter((candidate) => chosen(propertyId(candidate)))) {
    const cases = stretchOf(casesOf(property, runs), shard);
    if (cases.count === 0) continue;
    const reason = stopped();
    const skip = reason === undefined ? unmetNeed(property.needs, info) : { reason };
    const result =
      skip === undefined
        ? await lanes.try(property, { stage, cases, ...budget })
        : untriedProperty(property, "skipped", skip);
    results.push(result);
    onResult?.(result);
  }
  await lanes.close();
  return results;
}

/** The services that properties are tried on. */
class Lanes {
  readonly #connect: () => Promise<Connection>;
  #most: number;
  #connections: readonly Connection[] = [];

  constructor({ connect, lanes = 1 }: RunPropertiesOptions) {
    this.#connect = connect;
    this.#most = lanes;
  }

  async try(property: Property, run: Omit<PropertyRun, "connection" | "others">): Promise<Result> {
    const together = await this.#check(property, run, this.#most);
    if (!(together instanceof AdapterFault)) return together;
    // What broke for all may have been one of them, or none by itself.
    const alone = this.#most > 1 && !wasNotSent(together) ? await this.#check(property, run, 1) : together;
    if (!(alone instanceof AdapterFault)) this.#most = 1;
    return alone instanceof AdapterFault
      ? { ...untriedProperty(property, "error"), ...endedBy(alone) }
      : alone;
  }

  /** The result, or the fault that kept it from coming; then nothing is connected any more. */
  async #check(
    property: Property,
    run: Omit<PropertyRun, "connection" | "others">,
    lanes: number,
  ): Promise<Result | AdapterFault> {
    try {
      if (this.#connections.length !== lanes) {
        await this.close();
        this.#connections = await connectAll(this.#connect, lanes);
      }
      const [connection, ...others] = this.#connections as [Connection, ...Connection[]];
      return propertyResult(property, await property.check({ connection, others, ...run }));
    } catch (error) {
      if (!(error instanceof AdapterFault)) throw error;
      await this.close();
      return error;
    }
  }

  async close(): Promise<void> {
    const open = this.#connections;
    this.#connections = [];
    await Promise.all(open.map((connection) => connection.close()));
  }
}
