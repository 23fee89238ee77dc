/** property/stateful: long random sequences of commands by several creators. */
import fc from "fast-check";
import { BUILDS_PER_MINUTE, LIFETIME_MS, type Store } from "../contract/constants.ts";
import { EXPIRED_KEY_RETENTION_MS, RATE_WINDOW_MS } from "../contract/refusals.ts";
import {
  type Action,
  advance,
  CORRUPTIONS,
  INPUTS,
  inputFields,
  PROOFS,
  pick,
  type RequestAction,
  SPELLINGS,
  STATELESS_REQUESTS,
} from "./actions.ts";
import type { ActorName, Command, KeyName, Milestone, Past, SessionChoice } from "./past.ts";
import type { Cases } from "./property.ts";

const MAX_COMMANDS = 300;
/** Creators that open several sessions each. */
const CROWD = ["alice", "bob", "carol", "dave"];
/** Minimum length of a rest: a wait after which no limiter counts earlier builds. */
const REST_MS = 150_000;
/** Rests are longer by a multiple of this time, so that they change the clock's offset within a second. */
const REST_PHASE_MS = 333;

/** Draws commands with these values. @param weight relative frequency of the command */
function command<Values extends object>(
  weight: number,
  values: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
  actions: (past: Past, drawn: Values) => Iterable<Action>,
): fc.WeightedArbitrary<Command> {
  const drawn = fc.record(values) as fc.Arbitrary<Values>;
  const toCommand = (one: Values) => (past: Past) => actions(past, one);
  return { weight, arbitrary: drawn.map(toCommand) };
}

/** Draws the first value as often as all others together. */
function mostly<Value>(usual: Value, others: readonly Value[]): fc.Arbitrary<Value> {
  return pick([others.length, usual], ...others.map((other) => [1, other] as const));
}

const actor = pick<ActorName>([3, "alice"], [1, "bob"]);
/** Number of challenges or builds to count back from the latest. */
const back = pick([3, 0], [2, 1], [1, 2]);
const key = pick<KeyName>([4, "first"], [2, "second"], [1, "first in upper case"], [1, "fresh"]);
const spelling = mostly(
  0,
  SPELLINGS.slice(1).map((_, index) => index + 1),
);
const changedInputs = INPUTS.filter((name) => name !== "usual");

const fields = fc
  .tuple(mostly("usual", changedInputs), spelling)
  .map(([input, index]) => inputFields(input, index));
const retry = { back, spelling, repeat: pick([2, 1], [1, 2], [1, 3]) };

const wait = {
  since: pick<Milestone>([1, "now"], [2, "build"], [1, "challenge"], [1, "session"]),
  /** Spans after which an entry expires or a limit resets, and some other spans. */
  spanMs: pick(
    [4, LIFETIME_MS.build],
    [3, LIFETIME_MS.challenge],
    [1, LIFETIME_MS.verify],
    [1, RATE_WINDOW_MS / BUILDS_PER_MINUTE],
    [1, 1000],
    [1, LIFETIME_MS.build + EXPIRED_KEY_RETENTION_MS],
    [1, 600_000],
  ),
  /** Offsets from the end of the span: 0, a few ms, and about a clock step of 100 ms, 250 ms or 1 s. */
  offsetMs: fc.constantFrom(-1, -1, 1, 1, 0, -2, 2, 3, -101, 101, -251, 251, -1001, 1001, 2001),
};

const COMMANDS: readonly fc.WeightedArbitrary<Command>[] = [
  command(
    8,
    { actor, key, fields, session: pick<SessionChoice>([5, 0], [1, 1], [1, 2], [1, "former"]) },
    (past, drawn) => past.build(drawn.actor, past.key(drawn.key), drawn.fields, drawn.session),
  ),
  command(6, retry, (past, drawn) =>
    past.retry(drawn.back, drawn.repeat, inputFields("usual", drawn.spelling)),
  ),
  command(4, { ...retry, input: fc.constantFrom(...changedInputs) }, (past, drawn) =>
    past.retry(drawn.back, drawn.repeat, inputFields(drawn.input, drawn.spelling)),
  ),
  command(4, { actor }, (past, drawn) => past.challenge(drawn.actor)),
  command(
    8,
    { back, proof: mostly("valid", PROOFS.slice(1)), repeat: pick([3, 1], [1, 2], [1, 3]) },
    (past, drawn) => past.verifyLatest(drawn.back, drawn.proof, drawn.repeat),
  ),
  command(2, { actor }, (past, drawn) => past.openSession(drawn.actor)),
  command(4, { actor, key, corruption: fc.constantFrom(...CORRUPTIONS) }, (past, drawn) =>
    past.build(drawn.actor, past.key(drawn.key), drawn.corruption),
  ),
  command(3, { actor, count: fc.integer({ min: 2, max: 6 }) }, (past, drawn) =>
    past.buildFresh([drawn.actor], drawn.count),
  ),
  command(1, { count: fc.integer({ min: 2, max: 4 }) }, (past, drawn) =>
    past.buildFresh(["alice", "bob"], drawn.count),
  ),
  command(7, wait, (past, drawn) => past.waitUntil(drawn.since, drawn.spanMs + drawn.offsetMs)),
  command(1, {}, () => [{ verb: "restart" }]),
  command(3, {}, (past) => [advance(REST_MS + (past.renewKeys() % 3) * REST_PHASE_MS)]),
  command(
    2,
    {
      owners: fc.constantFrom<(readonly ActorName[])[]>(
        ["alice", "alice"],
        ["alice", "bob"],
        ["alice", "alice", "alice"],
      ),
      first: fc.nat(2),
      proof: mostly("valid", PROOFS.slice(1)),
    },
    function* (past, drawn) {
      const entries = yield* past.challenges(drawn.owners);
      for (const entry of entries.splice(drawn.first % entries.length, 1))
        yield past.proof(entry, drawn.proof);
      for (const entry of entries) yield past.proof(entry);
    },
  ),
  command(1, { request: fc.constantFrom(...STATELESS_REQUESTS) }, (_, { request }) => [request]),
  command(
    1,
    {
      store: pick<Store>([2, "drafts"], [1, "challenges"], [1, "sessions"]),
      times: fc.constantFrom(1, 3, 4, 8, 16),
    },
    (_, drawn) => [{ verb: "add-entries", ...drawn }],
  ),
  command(
    1,
    { creators: fc.constantFrom(1, 1, 2, 4), afterMs: fc.constantFrom(0, LIFETIME_MS.verify + 1) },
    function* (past, { creators, afterMs }) {
      yield* past.session("alice");
      for (const by of CROWD.slice(0, creators))
        yield { verb: "add-entries", store: "sessions", times: 5, by };
      yield advance(afterMs);
      yield* past.buildFresh(["alice"]);
    },
  ),
  command(
    1,
    { proven: fc.constantFrom<(readonly ActorName[])[]>(["alice", "bob"], ["alice", "alice", "alice"]) },
    function* (past, drawn) {
      const entries = yield* past.challenges([...new Set(drawn.proven)]);
      const requests = drawn.proven.flatMap((owner) =>
        entries.filter((entry) => entry.owner === owner).map((entry) => past.proof(entry)),
      );
      yield { verb: "together", requests };
    },
  ),
  command(
    1,
    {
      owners: fc.constantFrom<(readonly ActorName[])[]>(["alice", "bob"], ["alice", "alice", "alice"]),
      key: fc.constantFrom<KeyName[]>("first", "fresh"),
      inputs: fc.constantFrom(["usual"] as const, ["usual", "name"] as const),
      times: fc.constantFrom(1, 2),
    },
    function* (past, drawn) {
      const owners = drawn.times === 1 ? drawn.owners : [...drawn.owners, ...drawn.owners];
      const requests: RequestAction[] = [];
      for (const [index, owner] of owners.entries()) {
        const fields = inputFields(drawn.inputs[index % drawn.inputs.length] ?? "usual");
        requests.push(yield* past.buildRequest(owner, past.key(drawn.key), fields));
      }
      yield { verb: "together", requests };
    },
  ),
];

export const stateful: Cases = {
  casesPerRun: 0.4,
  draw: () =>
    fc
      .tuple(
        // Time after the start of the service. The last two values lead to a whole second and a whole minute.
        fc.constantFrom(0, 0, 9_863, 52_863),
        // By default fast-check draws short arrays.
        fc.array(fc.oneof(...COMMANDS), { maxLength: MAX_COMMANDS, size: "max" }),
      )
      .map(([startMs, commands]) => [advance(startMs), ...commands, (past: Past) => past.probeDrafts()]),
};
