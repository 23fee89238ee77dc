import fc from "fast-check";
import {
  type Action,
  BUILD_FAULTS,
  type Edge,
  INPUTS,
  KEYS,
  PROOFS,
  REQUESTS,
  type Since,
  SPANS,
  SPELLINGS_USED,
  type Who,
} from "./action.ts";

/** Mostly alice, so that actions meet each other's traces. */
const who = fc.constantFrom<Who[]>("alice", "alice", "alice", "bob");
const key = fc.constantFrom(1, 1, 1, 1, 0, 2, 2, 3, KEYS.length - 1);
const input = fc.constantFrom(0, 0, 0, 0, 0, 0, ...INPUTS.keys());
const spelling = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, ...SPELLINGS_USED.keys());
const session = fc.constantFrom(0, 0, 0, 1, 2);
const proof = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat(PROOFS.length - 1) },
);
/** The half minute, the minute and the hour, in falling likelihood. */
const span = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, ...SPANS.keys());
const edge = fc.constantFrom<Edge[]>("just-before", "just-after", "just-after", "at");
const since = fc.constantFrom<Since[]>("now", "build", "build", "challenge", "session");

const kinds: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Action> }[] = [
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constant("build" as const), who, key, input, spelling, session }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), span, edge, since }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("challenge" as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("verify" as const), back: fc.constantFrom(0, 0, 0, 1, 2), proof }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("session" as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("invalid" as const),
      who,
      key,
      fault: fc.nat(BUILD_FAULTS.length - 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("burst" as const), who, count: fc.integer({ min: 2, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("request" as const), request: fc.nat(REQUESTS.length - 1) }),
  },
];

/** A sequence of at most so many actions. */
export function actionSequence(maxLength: number): fc.Arbitrary<readonly Action[]> {
  return fc.array(fc.oneof(...kinds), { minLength: 1, maxLength, size: "max" });
}
