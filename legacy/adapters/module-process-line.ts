/** What the kit and the process of a user's module have agreed upon. */
import type { JsonRpcError } from "./json-rpc.ts";

/** File descriptors of the process: its standard streams are the module's own. */
export const REQUESTS = 3;
export const ANSWERS = 4;

/** Begins the line that tells, as a JSON text, what the module threw outside of a call. */
export const LAST_WORDS = "threw ";

/** How the process tells a fault: an error answer with what an `AdapterFault` says. */
export interface FaultError extends JsonRpcError {
  readonly message: string;
  readonly data: {
    readonly fatal: boolean;
    /** For people: where it came about. */
    readonly log?: string;
  };
}
