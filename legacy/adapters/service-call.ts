/** The argument of a service's `handle`: all five members are there, undefined where the request has none. */
export interface ServiceCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
}
