import type { RecordedExchange } from "../../engine/audit/recorded.ts";
import { strayFaults } from "../model/stray-faults.ts";
import { isAnswered, OUTCOMES, operationOf } from "../operations.ts";
import type { SeenExchange } from "./seen.ts";

/** What a request lacks of the headers that a recording may have left out. */
export interface Lacks {
  readonly caller: boolean;
  readonly key: boolean;
}

/**
 * Which headers each recording tells of at all: browsers leave out the one that says who asks, and logs all that nobody named.
 * Who did not send one did so of his own accord only where others of the same recording are seen to send it.
 */
export class ToldHeaders {
  readonly #all: boolean;
  readonly #callers = new Set<string>();
  readonly #keys = new Set<string>();

  /** @param all whether every header is told of that was sent */
  constructor(all: boolean) {
    this.#all = all;
  }

  /** Takes note of what a request has. */
  note({ source: { file }, credentials, request }: RecordedExchange): void {
    if (credentials !== "none") this.#callers.add(file);
    if (request.idempotencyKey !== undefined) this.#keys.add(file);
  }

  /** Whether what a build lacks may be lacking in the recording alone. */
  mayLack(file: string, lacks: Lacks): boolean {
    return (lacks.caller && !this.#tellsCallers(file)) || (lacks.key && !this.#tellsKeys(file));
  }

  /**
   * Whether a request outside the build route may have been refused for a header that is not asked for there, and that
   * the recording does not hold, or not as a plain bearer (STRAY-BEARER-PLATFORM, STRAY-KEY and their like).
   */
  mayExplain({ caller, source: { file }, exchange }: SeenExchange): boolean {
    const { request } = exchange;
    const { method, path } = request;
    const operation = operationOf(method, path);
    if (operation === "build") return false;
    const mayHaveBearer = caller === "odd" || (caller === "none" && !this.#tellsCallers(file));
    if (operation === "other") return mayHaveBearer && isAnswered(OUTCOMES.unauthorized, exchange);
    const mayHaveKey = request.idempotencyKey === undefined && !this.#tellsKeys(file);
    const stray = {
      method,
      path,
      ...(mayHaveBearer ? { bearer: "" } : {}),
      ...(mayHaveKey ? { idempotencyKey: "" } : {}),
    };
    const outcomes = strayFaults(operation, stray).flatMap((fault) => fault.outcomes);
    return outcomes.some((outcome) => isAnswered(outcome, exchange));
  }

  #tellsCallers(file: string): boolean {
    return this.#all || this.#callers.has(file);
  }

  #tellsKeys(file: string): boolean {
    return this.#all || this.#keys.has(file);
  }
}
