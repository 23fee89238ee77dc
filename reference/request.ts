/** The unchecked arguments of a call (contract, "What the service does"). */
export interface ServiceRequest {
  readonly method: unknown;
  readonly path: unknown;
  readonly body: unknown;
  readonly bearer: unknown;
  readonly idempotencyKey: unknown;
}

/**
 * Reads the five members of any value, each once. A member that is missing, or whose getter throws, is
 * `undefined`.
 */
export function readRequest(argument: unknown): ServiceRequest {
  return {
    method: member(argument, "method"),
    path: member(argument, "path"),
    body: member(argument, "body"),
    bearer: member(argument, "bearer"),
    idempotencyKey: member(argument, "idempotencyKey"),
  };
}

function member(target: unknown, name: keyof ServiceRequest): unknown {
  try {
    return (target as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}
