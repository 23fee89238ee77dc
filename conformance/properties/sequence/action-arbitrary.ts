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

type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Action> };

/** Mostly alice, so that actions meet each other's traces. */
const who = fc.constantFrom<Who[]>("alice", "alice", "alice", "bob");
const key = fc.constantFrom(1, 1, 1, 1, 0, 2, 2, 3, KEYS.length - 1);
const input = fc.constantFrom(0, 0, 0, 0, 0, 0, ...INPUTS.keys());
const spelling = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, ...SPELLINGS_USED.keys());
const session = fc.constantFrom(0, 0, 0, 1, 2);
/** Honest as often as not, and more often wrong than malformed. */
const proof = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.nat(PROOFS.length - 1) },
);
/** The half minute, the minute and the hour, in falling likelihood. */
const span = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, ...SPANS.keys());
const edge = fc.constantFrom<Edge[]>("just-before", "just-after", "just-after", "at");
const since = fc.constantFrom<Since[]>("now", "build", "build", "challenge", "session");

const build = fc.record({ do: fc.constant("build" as const), who, key, input, spelling, session });
const again = fc.record({ do: fc.constant("again" as const), times: fc.constantFrom(1, 1, 2, 3) });
const change = fc.record({
  do: fc.constant("change" as const),
  input: fc.integer({ min: 1, max: INPUTS.length - 1 }),
});
const challenge = fc.record({ do: fc.constant("challenge" as const), who });
const verify = fc.record({ do: fc.constant("verify" as const), back: fc.constantFrom(0, 0, 0, 1, 2), proof });
const openSession = fc.record({ do: fc.constant("session" as const), who });
const invalid = fc.record({
  do: fc.constant("invalid" as const),
  who,
  key,
  fault: fc.nat(BUILD_FAULTS.length - 1),
});
const burst = fc.record({ do: fc.constant("burst" as const), who, count: fc.integer({ min: 2, max: 6 }) });
const wait = fc.record({ do: fc.constant("wait" as const), span, edge, since });
const restart = fc.record({ do: fc.constant("restart" as const) });
const request = fc.record({ do: fc.constant("request" as const), request: fc.nat(REQUESTS.length - 1) });

const anything: readonly Weighted[] = [
  { weight: 3, arbitrary: build },
  { weight: 2, arbitrary: again },
  { weight: 2, arbitrary: verify },
  ...[change, wait, challenge, openSession, invalid, burst, restart, request].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  })),
];

/** What can happen to something around the end of its life. */
const LIMITS: readonly {
  readonly span: number;
  readonly since: Since;
  readonly kinds: readonly Weighted[];
}[] = [
  {
    span: 0,
    since: "build",
    kinds: [
      { weight: 4, arbitrary: again },
      { weight: 3, arbitrary: build },
      { weight: 3, arbitrary: change },
      { weight: 1, arbitrary: restart },
    ],
  },
  {
    span: 1,
    since: "build",
    kinds: [
      { weight: 3, arbitrary: burst },
      { weight: 2, arbitrary: build },
      { weight: 1, arbitrary: invalid },
    ],
  },
  {
    span: 1,
    since: "challenge",
    kinds: [
      { weight: 3, arbitrary: verify },
      { weight: 2, arbitrary: challenge },
      { weight: 1, arbitrary: openSession },
    ],
  },
  {
    span: 2,
    since: "session",
    kinds: [
      { weight: 3, arbitrary: build },
      { weight: 2, arbitrary: openSession },
      { weight: 1, arbitrary: again },
    ],
  },
];

/** A sequence of at most so many actions of a few kinds, or one that plays before, at the edge of, and past one limit. */
export function actionSequence(maxLength: number): fc.Arbitrary<readonly Action[]> {
  // Few kinds at a time: sequences that do everything a little hardly ever do one thing often enough.
  const free = fc
    .subarray([...anything], { minLength: 2, maxLength: 5 })
    .chain((kinds) => fc.array(fc.oneof(...kinds), { minLength: 1, maxLength, size: "max" }));
  const around = fc.constantFrom(...LIMITS).chain((limit) => aroundLimit(limit, Math.floor(maxLength / 4)));
  return fc.oneof({ weight: 2, arbitrary: free }, { weight: 1, arbitrary: around });
}

function aroundLimit(
  { span, since, kinds }: (typeof LIMITS)[number],
  maxLength: number,
): fc.Arbitrary<readonly Action[]> {
  const some = fc.array(fc.oneof(...kinds), { minLength: 1, maxLength, size: "max" });
  const until = (edge: Edge): Action => ({ do: "wait", span, edge, since });
  return fc
    .tuple(some, some, some, fc.nat(28))
    .map(([before, during, after, seconds]) => [
      ...before,
      ...(seconds < 10 ? [{ do: "wait", span: 3, edge: "at", since: "now" } as const] : []),
      ...during,
      until("just-before"),
      ...during.slice(0, 1),
      until("just-after"),
      ...after,
    ]);
}
