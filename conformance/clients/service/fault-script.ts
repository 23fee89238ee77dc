import type { Operation } from "../../contract/constants.ts";
import type { Fault, ScriptedFault } from "../trial.ts";

/** The faults of a trial. Counts requests to find the faults that apply to each. */
export class FaultScript {
  readonly #scriptedFaults: readonly ScriptedFault[];
  /** Number of requests so far with the operation and actor of a fault. */
  readonly #requestCounts = new Map<ScriptedFault, number>();
  readonly #applied = new Set<ScriptedFault>();

  constructor(scriptedFaults: readonly ScriptedFault[]) {
    this.#scriptedFaults = scriptedFaults;
  }

  /** Counts a request. Returns the faults that apply to it. */
  next(operation: Operation, isSentBy: (actor: string) => boolean): readonly ScriptedFault[] {
    return this.#scriptedFaults.filter((scripted) => {
      const isCounted =
        scripted.operation === operation || (scripted.operation === "every" && operation !== "other");
      if (!isCounted || (scripted.actor !== undefined && !isSentBy(scripted.actor))) return false;
      const count = (this.#requestCounts.get(scripted) ?? 0) + 1;
      this.#requestCounts.set(scripted, count);
      return count >= scripted.first && count <= scripted.last;
    });
  }

  markApplied(scriptedFaults: readonly ScriptedFault[]): void {
    for (const scripted of scriptedFaults) this.#applied.add(scripted);
  }

  /** Number of faults that are not optional and were not applied. */
  get missing(): number {
    return this.#scriptedFaults.filter((one) => !one.isOptional && !this.#applied.has(one)).length;
  }
}

/** Merges faults. Later faults override earlier ones, except for fields and headers, which are combined. */
export function mergeFaults(scriptedFaults: readonly ScriptedFault[]): Fault {
  const merged: Record<string, unknown> = {};
  for (const { fault } of scriptedFaults)
    for (const [name, value] of Object.entries(fault))
      merged[name] = typeof value === "object" ? { ...(merged[name] as object), ...value } : value;
  return merged;
}
