/** Events of a service: the input of the model. */
import type { Facts } from "../adapters/adapter.ts";
import type { Exchange } from "../contract/exchange.ts";
import type { Interval } from "../judge/clocks.ts";

/** A request and its response. */
export interface ExchangeEvent {
  readonly kind: "exchange";
  /** Without a status, the response was lost or never sent. The service may still have handled the request. */
  readonly exchange: Exchange;
  /** When the service handled the request, by the service's clock. */
  readonly at: Interval;
}

/** An exchange, or a restart, at which the service lost its challenges, sessions and drafts. */
export type ServiceEvent = ExchangeEvent | { readonly kind: "restart"; readonly at: Interval };

/** An event and its time span on the recorder's clock. Events whose spans overlap were in flight together. */
export interface TimedEvent {
  readonly event: ServiceEvent;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Facts about a service that the adapter states. All are optional, because a recording may lack them. */
export type StatedFacts = Readonly<
  Partial<Pick<Facts, "metadataHosts" | "operatorKey" | "capacity" | "clockStepMs">>
>;
