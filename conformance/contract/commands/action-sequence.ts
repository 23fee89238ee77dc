import fc from "fast-check";
import type { Action, Edge, Since, Who } from "./action.ts";
import { actions } from "./action-arbitrary.ts";

type Actions = readonly Action[];
interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Action>;
}

const { build, again, change, challenge, verify, session, invalid, burst, wait, restart, request } = actions;

/** Longest sequence of actions; what comes after is cut off. */
const LONGEST = 30;

const anything: readonly Weighted[] = [
  { weight: 3, arbitrary: build },
  { weight: 2, arbitrary: again },
  { weight: 2, arbitrary: verify },
  ...[change, wait, challenge, session, invalid, burst, restart, request].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  })),
];

/** Kinds of action that have to do with each other: challenges, keys, places in a minute. */
const TOPICS: readonly (readonly fc.Arbitrary<Action>[])[] = [
  [challenge, verify, verify, session],
  [build, build, again, again, change, invalid],
  [build, burst, again, invalid],
];

/** A few kinds of action at a time: what does everything a little hardly ever does one thing often enough. */
const swarm: fc.Arbitrary<Actions> = fc
  .oneof(
    fc.subarray([...anything], { minLength: 2, maxLength: 5 }).map((kinds) => fc.oneof(...kinds)),
    fc.constantFrom(...TOPICS).map((kinds) => fc.oneof(...kinds)),
  )
  .chain((some) => fc.array(some, { minLength: 1, maxLength: 8, size: "max" }));

/** One thing, done over and over: services count. */
const repeated: fc.Arbitrary<Actions> = fc
  .tuple(fc.oneof(build, again, change, verify, session, invalid, challenge), fc.integer({ min: 2, max: 5 }))
  .map(([action, times]) => Array.from({ length: times }, () => action));

/** A look at all that should still be there, after a failed proof or none: services lose things, and find them again. */
const look: fc.Arbitrary<Actions> = fc.subarray<Action>(
  [
    { do: "challenge", who: "bob" },
    { do: "challenge", who: "alice" },
    { do: "verify", back: 1, proof: 1 },
    { do: "verify", back: 2, proof: 0 },
    { do: "verify", back: 1, proof: 0 },
    { do: "verify", back: 0, proof: 0 },
    { do: "again", back: 3, times: 1 },
    { do: "again", back: 2, times: 1 },
    { do: "again", back: 1, times: 1 },
    { do: "again", back: 0, times: 1 },
    { do: "change", back: 0, input: 2 },
    { do: "build", who: "alice", key: 1, input: 0, spelling: 0, session: 1 },
    { do: "build", who: "bob", key: 1, input: 0, spelling: 0, session: 1 },
    { do: "burst", who: "alice", count: 6 },
    { do: "burst", who: "bob", count: 6 },
  ],
  { minLength: 3 },
);

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
      { weight: 1, arbitrary: invalid },
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
      { weight: 1, arbitrary: session },
    ],
  },
  {
    span: 2,
    since: "session",
    kinds: [
      { weight: 3, arbitrary: build },
      { weight: 2, arbitrary: session },
      { weight: 1, arbitrary: again },
    ],
  },
];

/** Something before, at the edge of, and past one limit. */
const aroundLimit: fc.Arbitrary<Actions> = fc.constantFrom(...LIMITS).chain(({ span, since, kinds }) => {
  const some = fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 3, size: "max" });
  const until = (edge: Edge): Action => ({ do: "wait", span, edge, since });
  return fc
    .tuple(some, some, fc.option(some, { freq: 1 }), some, fc.boolean())
    .map(([before, during, close, after, late]) => [
      ...before,
      ...(late ? [{ do: "wait", span: 3, edge: "at", since: "now" } as const] : []),
      ...during,
      until("just-before"),
      ...(close ?? during.slice(0, 1)),
      until("just-after"),
      ...after,
    ]);
});

/** The same once more, after a restart or by the other one: services mix up lives and people. */
const echoed: fc.Arbitrary<Actions> = fc
  .tuple(fc.array(fc.oneof(...anything), { minLength: 1, maxLength: 4 }), fc.boolean(), fc.boolean())
  .map(([some, anew, swapped]) => [
    ...some,
    ...(anew ? [{ do: "restart" } as const] : []),
    ...(swapped ? some.map(byTheOther) : some),
  ]);

function byTheOther(action: Action): Action {
  const other: Readonly<Record<Who, Who>> = { alice: "bob", bob: "alice" };
  return "who" in action ? { ...action, who: other[action.who] } : action;
}

/** What makes room for more between two parts of a sequence: places in a minute, and live sessions. */
const between: fc.Arbitrary<Actions> = fc.constantFrom<Actions[]>(
  [],
  [],
  [],
  [{ do: "wait", span: 1, edge: "just-after", since: "now" }],
  [{ do: "session", who: "alice" }],
  [
    { do: "session", who: "alice" },
    { do: "session", who: "bob" },
  ],
);

/** Some of an ordinary day, for what only goes wrong in a service that has been used. */
const used: fc.Arbitrary<Actions> = fc.oneof(
  fc.constant<Actions>([]),
  fc.subarray<Action>([
    { do: "build", who: "bob", key: 1, input: 0, spelling: 0, session: 0 },
    { do: "build", who: "alice", key: 1, input: 0, spelling: 0, session: 0 },
    { do: "again", back: 0, times: 1 },
    { do: "change", back: 0, input: 1 },
    { do: "invalid", who: "alice", key: 0, fault: 0 },
    { do: "session", who: "alice" },
    { do: "session", who: "bob" },
  ]),
);

/** A few parts, each with a way of its own: a fault may wait in one for what was done in another. */
export const actionSequence: fc.Arbitrary<Actions> = fc
  .tuple(
    used,
    fc.array(
      fc.tuple(
        between,
        fc.oneof(
          { weight: 3, arbitrary: swarm },
          { weight: 3, arbitrary: aroundLimit },
          { weight: 2, arbitrary: repeated },
          { weight: 2, arbitrary: echoed },
          { weight: 2, arbitrary: look },
        ),
      ),
      { minLength: 1, maxLength: 3, size: "max" },
    ),
  )
  .map(([before, parts]) => [...before, ...parts.flat(2)].slice(0, LONGEST));
