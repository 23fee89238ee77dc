import type { Fields, OperationVerb, Step, Template } from "../vectors/vector.ts";
import { ANYTHING } from "./steps.ts";

/** The steps of a vector in the making, each named by its place. */
export class StepList {
  readonly steps: Step[] = [];

  /** Adds a request that may be answered in any way. Gives the name under which later steps know its answer. */
  send(verb: OperationVerb, fields: Fields, label: string = verb): string {
    const as = `${label}${this.steps.length + 1}`;
    this.steps.push({ ...this.#place(), kind: "operation", verb, fields, as, expect: ANYTHING });
    return as;
  }

  /** Adds a wait, as vectors write one. */
  advance(advance: Template): void {
    this.steps.push({ ...this.#place(), kind: "advance", advance });
  }

  restart(): void {
    this.steps.push({ ...this.#place(), kind: "restart" });
  }

  #place(): Pick<Step, "place" | "path"> {
    const index = this.steps.length;
    return { place: { file: "sequence", line: index + 1 }, path: ["steps", index] };
  }
}
