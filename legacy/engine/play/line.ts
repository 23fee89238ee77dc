import type { Connection, ServiceRequest } from "../../adapters/adapter.ts";
import type { StepPlace } from "./exchange.ts";
import type { RequestKind } from "./request-kind.ts";

/** What a request is sent for. */
export interface Purpose extends StepPlace {
  /** The vector, or the sequence of a property. */
  readonly id: string;
  /** The operation that the request is. */
  readonly operation: string;
  readonly kind: RequestKind;
}

/** A connection that may be told what each request is for, so that what takes long or breaks has a name. */
export interface Line extends Connection {
  /** Whether a fault has ended it, where that is known. */
  readonly ended?: boolean;
  handle(request: ServiceRequest, purpose?: Purpose): Promise<unknown>;
}
