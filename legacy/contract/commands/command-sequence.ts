import fc from "fast-check";
import type { Command, Edge, Since, Who } from "./command.ts";
import { commands, newBuilds } from "./command-arbitrary.ts";

/** A few commands that belong together, such as the builds of a burst. */
type Group = readonly Command[];
type Groups = readonly Group[];
interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Group>;
}

const { build, again, change, challenge, verify, session, invalid, burst, wait, restart, request } = commands;

/** Most groups of commands in a sequence; what comes after is cut off. */
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

/** Kinds of command that have to do with each other: challenges, keys, places in a minute. */
const TOPICS: readonly (readonly fc.Arbitrary<Group>[])[] = [
  [challenge, verify, verify, session],
  [build, build, again, again, change, invalid],
  [build, burst, again, invalid],
];

/** A few kinds of command at a time: what does everything a little hardly ever does one thing often enough. */
const swarm: fc.Arbitrary<Groups> = fc
  .oneof(
    fc.subarray([...anything], { minLength: 2, maxLength: 5 }).map((kinds) => fc.oneof(...kinds)),
    fc.constantFrom(...TOPICS).map((kinds) => fc.oneof(...kinds)),
  )
  .chain((some) => fc.array(some, { minLength: 1, maxLength: 8, size: "max" }));

/** One thing, done over and over: services count. */
const repeated: fc.Arbitrary<Groups> = fc
  .tuple(fc.oneof(build, again, change, verify, session, invalid, challenge), fc.integer({ min: 2, max: 5 }))
  .map(([group, times]) => Array.from({ length: times }, () => group));

/** A look at all that should still be there, after a failed proof or none: services lose things, and find them again. */
const look: fc.Arbitrary<Groups> = fc.subarray<Group>(
  [
    [{ do: "challenge", who: "bob" }],
    [{ do: "challenge", who: "alice" }],
    [{ do: "verify", back: 1, proof: 1 }],
    [{ do: "verify", back: 2, proof: 0 }],
    [{ do: "verify", back: 1, proof: 0 }],
    [{ do: "verify", back: 0, proof: 0 }],
    [{ do: "again", back: 3 }],
    [{ do: "again", back: 2 }],
    [{ do: "again", back: 1 }],
    [{ do: "again", back: 0 }],
    [{ do: "change", back: 0, input: 2 }],
    [{ do: "build", who: "alice", key: 1, input: 0, spelling: 0, session: 1 }],
    [{ do: "build", who: "bob", key: 1, input: 0, spelling: 0, session: 1 }],
    newBuilds("alice", 6),
    newBuilds("bob", 6),
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
const aroundLimit: fc.Arbitrary<Groups> = fc.constantFrom(...LIMITS).chain(({ span, since, kinds }) => {
  const some = fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 3, size: "max" });
  const until = (edge: Edge): Group => [{ do: "wait", span, edge, since }];
  return fc
    .tuple(some, some, fc.option(some, { freq: 1 }), some, fc.boolean())
    .map(([before, during, close, after, late]) => [
      ...before,
      ...(late ? [[{ do: "wait", span: 3, edge: "at", since: "now" } as const]] : []),
      ...during,
      until("just-before"),
      ...(close ?? during.slice(0, 1)),
      until("just-after"),
      ...after,
    ]);
});

/** The same once more, after a restart or by the other one: services mix up lives and people. */
const echoed: fc.Arbitrary<Groups> = fc
  .tuple(fc.array(fc.oneof(...anything), { minLength: 1, maxLength: 4 }), fc.boolean(), fc.boolean())
  .map(([some, anew, swapped]) => [
    ...some,
    ...(anew ? [[{ do: "restart" } as const]] : []),
    ...(swapped ? some.map((group) => group.map(byTheOther)) : some),
  ]);

function byTheOther(command: Command): Command {
  const other: Readonly<Record<Who, Who>> = { alice: "bob", bob: "alice" };
  return "who" in command ? { ...command, who: other[command.who] } : command;
}

/** What makes room for more between two parts of a sequence: places in a minute, and live sessions. */
const between: fc.Arbitrary<Groups> = fc.constantFrom<Groups[]>(
  [],
  [],
  [],
  [[{ do: "wait", span: 1, edge: "just-after", since: "now" }]],
  [[{ do: "session", who: "alice" }]],
  [[{ do: "session", who: "alice" }], [{ do: "session", who: "bob" }]],
);

/** Some of an ordinary day, for what only goes wrong in a service that has been used. */
const used: fc.Arbitrary<Groups> = fc.oneof(
  fc.constant<Groups>([]),
  fc.subarray<Group>([
    [{ do: "build", who: "bob", key: 1, input: 0, spelling: 0, session: 0 }],
    [{ do: "build", who: "alice", key: 1, input: 0, spelling: 0, session: 0 }],
    [{ do: "again", back: 0 }],
    [{ do: "change", back: 0, input: 1 }],
    [{ do: "invalid", who: "alice", key: 0, fault: 0 }],
    [{ do: "session", who: "alice" }],
    [{ do: "session", who: "bob" }],
  ]),
);

/** A few parts, each with a way of its own: a fault may wait in one for what was done in another. */
export const commandSequence: fc.Arbitrary<readonly Command[]> = fc
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
  .map(([before, parts]) => provable([...before, ...parts.flat(2)].slice(0, LONGEST).flat()));

/** With a challenge before the first proof, where there is none. */
function provable(sequence: readonly Command[]): readonly Command[] {
  const proof = sequence.findIndex((command) => command.do === "verify");
  const challenged = sequence.slice(0, proof).some((command) => command.do === "challenge");
  return proof < 0 || challenged ? sequence : sequence.toSpliced(proof, 0, { do: "challenge", who: "alice" });
}
