import type { Outcome } from "../outcome.ts";
import type { Expectation, Fields, OperationStep, Step, Template, TogetherStep } from "../vectors/vector.ts";

/** Any answer will do for the step itself: the model is what judges. */
const ANYTHING: Expectation = { anything: true, accepted: [] };

/** What a request is that stands inside another step. */
type Request = readonly [verb: string, fields: Fields];

const SUCCESS: Outcome = { status: 200, codes: [] };

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
    return { kind: "operation", verb, fields, as, expect: ANYTHING, place };
  }

  /** A wait, as vectors write one. */
  advance(advance: Template): Step {
    return { kind: "advance", advance, place: this.#next() };
  }

  /** The same requests several times over, each of which is to succeed. */
  repeat(times: number, requests: readonly Request[]): Step {
    const place = this.#next();
    return { kind: "repeat", times, steps: this.#plain(requests), atMost: [], place };
  }

  /** Requests in flight together, each of which is to succeed; later steps know their answers by their names. */
  together(
    requests: readonly Request[],
  ): TogetherStep & { readonly steps: readonly (OperationStep & { readonly as: string })[] } {
    const place = this.#next();
    const tallies = [[{ outcome: SUCCESS, count: requests.length }]];
    const steps = this.#plain(requests).map((step) => ({
      ...step,
      as: `${this.#prefix}${step.verb}${step.place.line}`,
    }));
    return { kind: "together", times: 1, steps, tallies, place };
  }

  #plain(requests: readonly Request[]): readonly OperationStep[] {
    return requests.map(([verb, fields]) => ({
      kind: "operation",
      verb,
      fields,
      place: this.#next(),
    }));
  }

  restart(): Step {
    return { kind: "restart", place: this.#next() };
  }

  #next(): Step["place"] {
    this.#made += 1;
    return { file: "sequence", line: this.#made };
  }
}

/** The steps of one request each, named by their place: `step1`, `step2`. */
export function requestSteps(entries: readonly Request[]): readonly OperationStep[] {
  const maker = new StepMaker();
  return entries.map(([verb, fields]) => maker.request(verb, fields, "step"));
}
