import fc from "fast-check";
import {
  BUILD_FAULTS,
  type Command,
  type Edge,
  INPUTS,
  KEYS,
  PROOFS,
  REQUESTS,
  type Since,
  SPANS,
  SPELLINGS_USED,
  type Who,
} from "./command.ts";

/** Mostly alice, so that commands meet each other's traces. */
const who = fc.constantFrom<Who[]>("alice", "alice", "alice", "bob");
const key = fc.constantFrom(1, 1, 1, 1, 0, 2, 2, 3, KEYS.length - 1);
/** Mostly the last one of its kind. */
const back = fc.constantFrom(0, 0, 0, 1, 1, 2);
const input = fc.constantFrom(0, 0, 0, 0, 0, 0, ...INPUTS.keys());
const spelling = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, ...SPELLINGS_USED.keys());
const session = fc.constantFrom(0, 0, 0, 1, 2);
/** Honest as often as not, else mostly somebody else's, and more often wrong than malformed. */
const proof = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.nat(PROOFS.length - 1) },
);
/** The half minute, the minute and the hour, in falling likelihood. */
const span = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, ...SPANS.keys());
const edge = fc.constantFrom<Edge[]>("just-before", "just-after", "just-after", "at");
const since = fc.constantFrom<Since[]>("now", "build", "build", "challenge", "session");

const changedInput = fc.integer({ min: 1, max: INPUTS.length - 1 });
/** Of a field, of which there are many, as often as of the request as a whole. */
const wholeFaults = [...BUILD_FAULTS.keys()].filter((index) =>
  ["creator", "body", "pad-to", "key", "bearer"].some((name) =>
    Object.hasOwn(BUILD_FAULTS[index] ?? {}, name),
  ),
);
const fault = fc.oneof(fc.nat(BUILD_FAULTS.length - 1), fc.constantFrom(...wholeFaults));

/** Every kind of thing that random sequences do, as the commands that it takes, with values drawn from small pools. */
export const commands = {
  build: one(fc.record({ do: fc.constant("build" as const), who, key, input, spelling, session })),
  again: fc
    .record({ do: fc.constant("again" as const), back, times: fc.constantFrom(1, 1, 2, 3) })
    .map(({ times, ...again }) => repeated(times, again)),
  change: one(fc.record({ do: fc.constant("change" as const), back, input: changedInput })),
  challenge: one(fc.record({ do: fc.constant("challenge" as const), who })),
  verify: one(fc.record({ do: fc.constant("verify" as const), back, proof })),
  session: one(fc.record({ do: fc.constant("session" as const), who })),
  invalid: one(fc.record({ do: fc.constant("invalid" as const), who, key, fault })),
  burst: fc
    .record({ who, count: fc.integer({ min: 2, max: 6 }) })
    .map(({ who: builder, count }) => newBuilds(builder, count)),
  wait: one(fc.record({ do: fc.constant("wait" as const), span, edge, since })),
  restart: one(fc.record({ do: fc.constant("restart" as const) })),
  request: one(fc.record({ do: fc.constant("request" as const), request: fc.nat(REQUESTS.length - 1) })),
} satisfies Readonly<Record<string, fc.Arbitrary<readonly Command[]>>>;

/** New builds under fresh keys, one after the other. */
export function newBuilds(builder: Who, count: number): readonly Command[] {
  return repeated(count, { do: "build", who: builder, key: 0, input: 0, spelling: 0, session: 0 });
}

function one(command: fc.Arbitrary<Command>): fc.Arbitrary<readonly Command[]> {
  return command.map((drawn) => [drawn]);
}

function repeated(times: number, command: Command): readonly Command[] {
  return Array.from({ length: times }, () => command);
}
