import type { AdapterFault } from "../../adapters/adapter.ts";
import { FaultInStep } from "../play/breakage.ts";

/** After so many faults in a row that end the connection, the rest is not tried. */
export const MOST_FAULTS = 3;
/** As many, where each came of a request: what was asked may be the reason, and the next is asked something else. */
export const MOST_FAULTS_IN_STEPS = 12;
/** After so many of one kind, though others went well in between: each costs a new start, and teaches nothing more. */
const MOST_OF_A_KIND = 10;

/** Counts the faults of an implementation that is started anew after each, until it is not worth another start. */
export class FaultCount {
  #inARow = 0;
  #atStart = 0;
  readonly #ofKind = new Map<string, number>();

  /** Takes note of a vector that came to its end. */
  wentWell(): void {
    this.#inARow = 0;
    this.#atStart = 0;
  }

  /** Takes note of a fault. @returns why nothing more is to be tried, if that is so */
  note(fault: AdapterFault): string | undefined {
    this.#inARow += 1;
    if (!(fault instanceof FaultInStep)) this.#atStart += 1;
    const ofKind = (this.#ofKind.get(fault.message) ?? 0) + 1;
    this.#ofKind.set(fault.message, ofKind);
    if (this.#atStart >= MOST_FAULTS || this.#inARow >= MOST_FAULTS_IN_STEPS)
      return `the adapter broke ${this.#inARow} times in a row`;
    return ofKind >= MOST_OF_A_KIND
      ? `the adapter broke ${MOST_OF_A_KIND} times in one way: ${fault.message}`
      : undefined;
  }
}
