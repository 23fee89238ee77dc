import type { Expectation, Fields, OperationStep, Step, Template } from "../vectors/vector.ts";

/** Any answer will do for the step itself: the model is what judges. */
const ANYTHING: Expectation = { anything: true, accepted: [] };

/** Such steps stand in no file. */
const NO_PATH: Step["path"] = [];

/** Makes the steps of a vector one after the other, each named by its place. */
export class StepMaker {
  readonly #prefix: string;
  #made = 0;

  /** @param prefix of all names, so that several sequences can share a scene */
  constructor(prefix = "") {
    this.#prefix = prefix;
  }

  /** A request that may be answered in any way; `as` is the name under which later steps know its answer. */
  request(verb: string, fields: Fields, label: string = verb): OperationStep & { readonly as: string } {
    const place = this.#next();
    const as = `${this.#prefix}${label}${this.#made}`;
    return { kind: "operation", verb, fields, as, expect: ANYTHING, place, path: NO_PATH };
  }

  /** A wait, as vectors write one. */
  advance(advance: Template): Step {
    return { kind: "advance", advance, place: this.#next(), path: NO_PATH };
  }

  restart(): Step {
    return { kind: "restart", place: this.#next(), path: NO_PATH };
  }

  #next(): Step["place"] {
    this.#made += 1;
    return { file: "sequence", line: this.#made };
  }
}

/** The steps of one request each, named by their place: `step1`, `step2`. */
export function requestSteps(
  entries: readonly (readonly [verb: string, fields: Fields])[],
): readonly OperationStep[] {
  const maker = new StepMaker();
  return entries.map(([verb, fields]) => maker.request(verb, fields, "step"));
}
