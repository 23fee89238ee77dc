/** Writes a failing case as a readable suite of one vector, which `replay` can play. */
import { describeResponse, type Exchange } from "../contract/exchange.ts";
import { formatOutcomes, type Outcome } from "../contract/outcome.ts";
import { outcomesOf, STATUS_OF_CODE } from "../contract/refusals.ts";
import { yaml } from "../data/data-file.ts";
import { distinct } from "../data/json.ts";
import type { Belief } from "../model/belief.ts";
import type { RequestAction } from "./actions.ts";
import { eventOf, type Failure, type PlayedAction } from "./checked-case.ts";

type Entry = Readonly<Record<string, unknown>>;

/** Open point that a step with several outcomes must name. One outcome shows no reading of this point. */
const POINT_OF_ALTERNATIVES = "RATE-SHAPE";

/** A vector that fails in the same way as the failed case. */
export interface Counterexample {
  /** A suite of one vector, as YAML. */
  readonly text: string;
  /** Number of steps of the vector. The last step fails. */
  readonly steps: number;
  /** Line of the last step. */
  readonly line: number;
}

/**
 * Writes the played actions up to the failure.
 * @param name name of the property, which becomes the vector's ID
 */
export function writeCounterexample(
  name: string,
  played: readonly PlayedAction[],
  failure: Failure,
): Counterexample {
  const writer = new StepWriter(played, failure);
  const steps = played.flatMap((action) => writer.write(action));
  const { rules, statement } = failure;
  const vector = { id: name, title: `found by search: ${statement}`, rules, steps };
  const { Document, isMap, isScalar, isSeq, visit } = yaml();
  const document = new Document({ suite: "found", vectors: [vector] }, { aliasDuplicateObjects: false });
  const lists = new Set<unknown>(["vectors", "steps", "together"]);
  // One line for each step.
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && !lists.has(key.value) && (isMap(value) || isSeq(value))) value.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0 });
  const last = text.lastIndexOf(`\n${" ".repeat(STEP_INDENT)}- `);
  const line = text.slice(0, last).split("\n").length + 1;
  return { text, steps: steps.length, line };
}

/** Number of lines before the first step, and number of spaces before each step. */
export const HEADER_LINES = 6;
export const STEP_INDENT = 6;

/** Default name of the build whose draft the failed retry must return. */
const ORIGINAL = "original1";

class StepWriter {
  readonly #failure: Failure;
  /** Whether the failure is a retry that got a draft other than the first one. */
  readonly #isOtherDraft: boolean;
  /** The build whose draft the failed retry must return. */
  readonly #original: Exchange | undefined;
  #originalName = ORIGINAL;
  /** Names of the exchanges that later steps refer to. */
  readonly #used: Set<string>;

  constructor(played: readonly PlayedAction[], failure: Failure) {
    const { exchange, allowed = [] } = failure;
    this.#failure = failure;
    const text = JSON.stringify(played.map(({ action }) => action));
    this.#used = new Set([...text.matchAll(/"\$([a-z]+\d+)/g)].map(([, name = ""]) => name));
    this.#isOtherDraft = allowed.includes("OK") && exchange.status === 200;
    const earlier = played.flatMap(({ exchanges }) => (exchanges.includes(exchange) ? [] : exchanges));
    if (this.#isOtherDraft)
      this.#original = earlier.find((own) => own.status === 200 && isSameKey(own, exchange));
  }

  write(played: PlayedAction): readonly Entry[] {
    const { action, exchanges, allowed } = played;
    switch (action.verb) {
      case "advance":
        return [{ advance: durationOf(action.ms) }];
      case "restart":
        return [{ restart: true }];
      case "add-entries": {
        const { verb, ...entries } = action;
        return [{ [verb]: entries }];
      }
      case "together":
        return this.#writeGroup(action.requests, played);
      default: {
        const [exchange] = exchanges;
        const entry = this.#writeRequest(action, exchange);
        const expect = exchange && this.#expectationOf(exchange, allowed);
        return [expect === undefined ? entry : { ...entry, expect }];
      }
    }
  }

  #writeRequest({ verb, fields, as }: RequestAction, exchange: Exchange | undefined): Entry {
    const isOriginal = exchange !== undefined && exchange === this.#original;
    if (isOriginal) this.#originalName = as ?? ORIGINAL;
    const isUsed = isOriginal || (as !== undefined && this.#used.has(as));
    return { [verb]: fields, ...(isUsed && { as: as ?? ORIGINAL }) };
  }

  /** Returns the allowed outcomes if the step fails or allows several, and otherwise the observed outcome. */
  #expectationOf(exchange: Exchange, allowed: readonly string[]): unknown {
    const isFailed = this.#failure.exchange === exchange;
    const observed = exchange.status === 200 ? undefined : describeResponse(exchange);
    if (isFailed && this.#failure.allowed === undefined) return observed;
    if (isFailed && this.#original !== undefined) return { "same-as": `$${this.#originalName}` };
    // A step that does not fail lists outcomes with status 429 only if the service responded with 429.
    const isLimit = ({ status }: Outcome) => status === 429 && exchange.status !== 429;
    const outcomes = outcomesOf(allowed).filter((outcome) => isFailed || !isLimit(outcome));
    if (!isFailed && outcomes.length < 2) return observed;
    const texts = outcomes.map((outcome) => (outcome.status === 200 ? 200 : formatOutcomes(outcome)));
    return texts.length === 1 ? texts[0] : { any: texts, open: POINT_OF_ALTERNATIVES };
  }

  #writeGroup(requests: readonly RequestAction[], { exchanges, before }: PlayedAction): readonly Entry[] {
    const { allowed, exchange } = this.#failure;
    const isFailed = allowed !== undefined && exchanges.includes(exchange) && before !== undefined;
    const retries = requests.filter((_, index) => isSameKey(exchanges[index] ?? exchange, exchange));
    const names = isFailed && this.#isOtherDraft ? retries.flatMap(({ as }) => as ?? []) : [];
    for (const name of names) this.#used.add(name);
    const steps = requests.map((request, index) => this.#writeRequest(request, exchanges[index]));
    const tally = isFailed && !this.#isOtherDraft ? legalTallies(before, exchanges) : tallyOf(exchanges);
    const [first, ...others] = names;
    const compared = others.map((name) => ({ compare: { value: `$${first}`, equals: `$${name}` } }));
    return [{ together: { steps, tally } }, ...compared];
  }
}

function isSameKey(one: Exchange, other: Exchange): boolean {
  const isSameCreator = one.input?.["creator"] === other.input?.["creator"];
  return isSameCreator && one.request.idempotencyKey === other.request.idempotencyKey;
}

function tallyOf(exchanges: readonly Exchange[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const outcome of exchanges.map(describeResponse).sort()) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return tally;
}

/** Returns the tallies that the model allows if the service handles the requests in the given order. */
function legalTallies(before: Belief, exchanges: readonly Exchange[]): unknown {
  let ends: readonly { readonly belief: Belief; readonly answered: readonly Exchange[] }[] = [
    { belief: before, answered: [] },
  ];
  for (const exchange of exchanges)
    ends = ends.flatMap(({ belief, answered }) => {
      const trial = belief.clone();
      trial.step(eventOf(exchange));
      return [...trial.allowed].flatMap((name) => {
        const response = withOutcome(exchange, name, answered);
        const after = belief.clone();
        const isLegal = after.step(eventOf(response)) === undefined;
        return isLegal ? [{ belief: after, answered: [...answered, response] }] : [];
      });
    });
  const tallies = distinct(ends.map(({ answered }) => tallyOf(answered)));
  return tallies.length === 1 ? tallies[0] : tallies;
}

/** Returns the exchange with another response. A retry gets the draft of the first response to its key. */
function withOutcome(exchange: Exchange, name: string, answered: readonly Exchange[]): Exchange {
  const status = STATUS_OF_CODE.get(name) ?? 200;
  if (status !== 200) return { ...exchange, status, body: { code: name } };
  const { idempotencyKey } = exchange.request;
  const first = answered.find((other) => other.status === 200 && isSameKey(other, exchange));
  const made = { nextGate: idempotencyKey, bearer: `bearer ${answered.length}` };
  return { ...exchange, status, body: first?.body ?? made };
}

/** Formats a duration as vectors write it: `29.999s`. */
export function durationOf(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 1000 === 0 || ms > 1000 ? `${ms / 1000}s` : `${ms}ms`;
}
