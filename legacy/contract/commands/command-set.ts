import { type Command, FAULT, PROOFS, type Since, SPANS } from "./command.ts";
import { newBuilds } from "./command-arbitrary.ts";

/**
 * One member of the set over which the exhaustive search tries every sequence: a command, or a few that count as one.
 */
export type Member = readonly Command[];

/** An input besides the usual one: it differs by its name. */
export const OTHER_INPUT = 2;
/** Builds that leave one place in a minute of five. */
const SPENT = 4;

type Wait = Extract<Command, { do: "wait" }>;
type Build = Extract<Command, { do: "build" }>;

/** The waits, in the order of the moments to which they lead. */
export const WAITS: readonly Wait[] = (
  [
    ["30s", "start"],
    ["60s", "start"],
    ["1h", "session"],
  ] as const
).flatMap(([span, since]) => [wait(span, "just-before", since), wait(span, "just-after", since)]);

function wait(span: (typeof SPANS)[number], edge: "just-before" | "just-after", since: Since): Wait {
  return { do: "wait", span: SPANS.indexOf(span), edge, since };
}

/** A build under one of the first two keys. */
export function keyedBuild(who: Build["who"], key: 1 | 2, input: 0 | typeof OTHER_INPUT): Build {
  return { do: "build", who, key, input, spelling: 0, session: 0 };
}

/** A build of alice with the bearer that she had before the last restart. */
const STALE: Build = { do: "build", who: "alice", key: 0, input: 0, spelling: 0, session: "former" };

/** Two creators, two keys, two inputs, good and bad proofs, every limit from both sides, a restart. */
export const COMMAND_SET: readonly Member[] = [
  ...(["alice", "bob"] as const).flatMap((who) =>
    ([1, 2] as const).flatMap((key) =>
      ([0, OTHER_INPUT] as const).map((input) => [keyedBuild(who, key, input)]),
    ),
  ),
  newBuilds("alice", SPENT),
  [{ do: "invalid", who: "alice", key: 1, fault: FAULT.foreignHost }],
  [{ do: "challenge", who: "alice" }],
  [{ do: "verify", back: 0, proof: 0 }],
  [{ do: "verify", back: 0, proof: altered() }],
  [{ do: "restart" }],
  [STALE],
  ...WAITS.map((one) => [one]),
];

/** The proof that fails at the least cost: its R is known to be of another S. */
function altered(): number {
  return PROOFS.findIndex(
    ({ proof }) => JSON.stringify(proof) === JSON.stringify({ signature: "s-bit-flipped" }),
  );
}

/** Whether a command is a build under a key of its own choice, with the session of the day. */
export function isKeyedBuild(command: Command): command is Build {
  return command.do === "build" && command.key !== 0;
}

/** Whether a command uses a bearer from before a restart. */
export function isStale(command: Command): boolean {
  return command.do === "build" && command.session === "former";
}
