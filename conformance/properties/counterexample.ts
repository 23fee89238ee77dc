/** Writes a failing case as a suite of one vector, which play/ plays and a person can read. */
import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import type { Exchange } from "../contract/exchange.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import type { Belief } from "../model/belief.ts";
import { instant } from "../model/clock-worlds.ts";
import { describeResponse } from "../play/vector-run.ts";
import type { Action, Failure, PlayedAction, RequestAction } from "./checked-run.ts";

type Entry = Readonly<Record<string, unknown>>;

/** An open point whose readings no single outcome shows: it lets a step accept several outcomes. */
const POINT_OF_ALTERNATIVES = "RATE-SHAPE";

/**
 * Writes the played actions up to the failure. Each step expects the response that it got, and the last step
 * one that is allowed.
 * @param name name of the property, which becomes the vector's id
 * @param startMs start of the case, in ms after noon
 * @returns YAML
 */
export function writeCounterexample(
  name: string,
  played: readonly PlayedAction[],
  failure: Failure,
  startMs: number,
): string {
  const named = withOriginal(played, failure);
  const used = namesIn(named.map(({ action }) => action));
  const steps = named.map((one, index) =>
    entryOf(one, used, index === named.length - 1 ? failure : undefined),
  );
  const vector = {
    id: name,
    title: `found by search: ${failure.statement}`,
    rules: failure.rules,
    clock: new Date(Date.UTC(2026, 9, 10, 12) + startMs).toISOString(),
    steps: steps.flat(),
  };
  return writeSuite([vector]);
}

/** Writes a suite with one line for each step. */
function writeSuite(vectors: readonly object[]): string {
  const document = new Document({ suite: "found", vectors }, { aliasDuplicateObjects: false });
  const lists = new Set<unknown>(["vectors", "steps", "together"]);
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && !lists.has(key.value) && (isMap(value) || isSeq(value))) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function entryOf(
  { action, exchanges, before }: PlayedAction,
  used: ReadonlySet<string>,
  failure: Failure | undefined,
): readonly Entry[] {
  switch (action.verb) {
    case "advance":
      return [{ advance: durationOf(action.ms) }];
    case "restart":
      return [{ restart: true }];
    case "crowd":
      return [{ crowd: { store: action.store, times: action.times } }];
    case "together": {
      const isRetry = failure !== undefined && isOtherDraft(failure);
      const names = action.requests.flatMap(({ as }) => (isRetry && as !== undefined ? [as] : []));
      const shown = new Set([...used, ...names]);
      const steps = action.requests.map((request) => requestEntry(request, shown));
      const isWrong = failure?.allowed !== undefined && !isRetry && before !== undefined;
      const tally = isWrong ? legalTallies(before, exchanges) : tallyOf(exchanges);
      const compare = names
        .slice(1)
        .map((other) => ({ compare: { value: `$${names[0]}`, equals: `$${other}` } }));
      return [{ together: { steps, tally } }, ...compare];
    }
    default: {
      const [exchange] = exchanges;
      const entry = requestEntry(action, used);
      const expect = exchange === undefined ? undefined : expectationOf(exchange, failure, used);
      return [expect === undefined ? entry : { ...entry, expect }];
    }
  }
}

function requestEntry({ verb, fields, as }: RequestAction, used: ReadonlySet<string>): Entry {
  return { [verb]: fields, ...(as !== undefined && used.has(as) ? { as } : {}) };
}

function expectationOf(exchange: Exchange, failure: Failure | undefined, used: ReadonlySet<string>): unknown {
  const observed = exchange.status === 200 ? undefined : describeResponse(exchange);
  if (failure?.allowed === undefined || failure.exchange !== exchange) return observed;
  if (isOtherDraft(failure) && used.has(ORIGINAL)) return { "same-as": `$${ORIGINAL}` };
  return outcomesAsExpectation(failure.allowed);
}

/** @param names `OK` and refusal codes */
function outcomesAsExpectation(names: readonly string[]): unknown {
  const codesByStatus = new Map<number, string[]>();
  for (const name of names) {
    const status = name === "OK" ? 200 : (STATUS_OF_CODE[name] ?? 400);
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), ...(name === "OK" ? [] : [name])]);
  }
  const outcomes = [...codesByStatus].map(([status, codes]) =>
    codes.length === 0 ? status : `${status} ${codes.join(" | ")}`,
  );
  return outcomes.length === 1 ? outcomes[0] : { any: outcomes, open: POINT_OF_ALTERNATIVES };
}

/** Name of the build that a retry had to repeat. */
const ORIGINAL = "original1";

/** Returns whether a retry got another draft. */
function isOtherDraft({ allowed = [], exchange }: Failure): boolean {
  return allowed.includes("OK") && exchange.status === 200;
}

/** Names the build that a retry had to repeat. */
function withOriginal(played: readonly PlayedAction[], failure: Failure): readonly PlayedAction[] {
  if (!isOtherDraft(failure)) return played;
  const { exchange } = failure;
  const isOriginal = (own: Exchange | undefined) =>
    own !== exchange &&
    own?.status === 200 &&
    own.request.idempotencyKey === exchange.request.idempotencyKey &&
    own.input?.["creator"] === exchange.input?.["creator"];
  const original = played.find(({ action, exchanges: [own] }) => action.verb === "build" && isOriginal(own));
  return played.map((one) =>
    one === original && one.action.verb === "build"
      ? { ...one, action: { ...one.action, as: ORIGINAL } }
      : one,
  );
}

/** Returns the names of exchanges that the fields of requests refer to. */
function namesIn(actions: readonly Action[]): Set<string> {
  const text = JSON.stringify(actions.map((action) => ("requests" in action ? action.requests : action)));
  return new Set(
    [...text.matchAll(/"\$([a-z]+\d+)|"as":"(original1)"/g)].map(
      ([, name, original]) => name ?? original ?? "",
    ),
  );
}

function tallyOf(exchanges: readonly Exchange[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const outcome of exchanges.map(describeResponse).sort()) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return tally;
}

/** Returns the tallies that the model allows for requests in flight, whatever their order. */
function legalTallies(before: Belief, exchanges: readonly Exchange[]): unknown {
  let ends: readonly { readonly belief: Belief; readonly answered: readonly Exchange[] }[] = [
    { belief: before, answered: [] },
  ];
  for (const exchange of exchanges)
    ends = ends.flatMap(({ belief, answered }) =>
      outcomesAllowed(belief, exchange).flatMap((name) => {
        const response = withOutcome(exchange, name, answered);
        const after = belief.clone();
        const event = { kind: "exchange", exchange: response, at: instant(response.atMs) } as const;
        return after.step(event) === undefined ? [{ belief: after, answered: [...answered, response] }] : [];
      }),
    );
  const tallies = ends.map(({ answered }) => tallyOf(answered));
  const distinct = [...new Map(tallies.map((tally) => [JSON.stringify(tally), tally])).values()];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function outcomesAllowed(belief: Belief, exchange: Exchange): readonly string[] {
  const trial = belief.clone();
  trial.step({ kind: "exchange", exchange, at: instant(exchange.atMs) });
  return [...trial.allowed];
}

/** Returns the exchange with another response. A retry gets the draft of the first response to its key. */
function withOutcome(exchange: Exchange, name: string, answered: readonly Exchange[]): Exchange {
  if (name !== "OK")
    return {
      ...exchange,
      status: STATUS_OF_CODE[name] ?? 400,
      body: { code: name, productionApproved: false },
    };
  const { idempotencyKey } = exchange.request;
  const first = answered.find(
    ({ status, request }) => status === 200 && request.idempotencyKey === idempotencyKey,
  );
  const made = { nextGate: idempotencyKey, bearer: `bearer ${answered.length}` };
  return {
    ...exchange,
    status: 200,
    body: idempotencyKey !== undefined && first !== undefined ? first.body : made,
  };
}

/** Formats a duration as vectors write it: `29.999s`. */
export function durationOf(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 1000 === 0 || ms > 1000 ? `${ms / 1000}s` : `${ms}ms`;
}
