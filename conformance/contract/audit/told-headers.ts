import type { RecordedExchange } from "../../engine/audit/recorded.ts";

/**
 * Which headers each recording tells of at all: browsers leave out the one that says who asks, and logs all that nobody named.
 * Who did not send one did so of his own accord only where others of the same recording are seen to send it.
 */
export class ToldHeaders {
  readonly #callers = new Set<string>();
  readonly #keys = new Set<string>();

  /** Takes note of what a request has. */
  note({ source: { file }, credentials, request }: RecordedExchange): void {
    if (credentials !== "none") this.#callers.add(file);
    if (request.idempotencyKey !== undefined) this.#keys.add(file);
  }

  /** Whether what a build lacks may be lacking in the recording alone. */
  mayLack(file: string, lacks: { readonly caller: boolean; readonly key: boolean }): boolean {
    return (lacks.caller && !this.#callers.has(file)) || (lacks.key && !this.#keys.has(file));
  }
}
