import type { Facts } from "../../../adapters/adapter.ts";
import type { RecordedExchange } from "../../../engine/audit/recorded.ts";
import { ClientDuties } from "./client-duties.ts";
import { type ClientTraffic, ClientTrafficCount } from "./client-traffic-results.ts";
import { recordedClientExchange } from "./recorded-client-exchange.ts";

/** Judges clients by what was recorded of them. */
export class RecordedClients {
  readonly #duties: ClientDuties;
  readonly #count = new ClientTrafficCount();

  /** @param signedBytes what is signed, where that is stated */
  constructor(signedBytes: Facts["signedBytes"] | undefined) {
    this.#duties = new ClientDuties(signedBytes);
  }

  /** Takes in what began no earlier than what came before. */
  take(recorded: RecordedExchange): void {
    const exchange = recordedClientExchange(recorded);
    if (exchange !== undefined) this.#count.add(exchange, this.#duties.take(exchange));
  }

  told(): ClientTraffic {
    return this.#count.told();
  }
}
