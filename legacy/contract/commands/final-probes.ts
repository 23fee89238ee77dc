import { type Command, FAULT, PROBES } from "./command.ts";
import { isKeyedBuild, isStale, OTHER_INPUT } from "./command-set.ts";

type Build = Extract<Command, { do: "build" }>;

/**
 * What is asked when a sequence is over, so that it shows what it left behind: each draft that still lives is asked
 * for again, then with other input, and then once more, since the conflict must not have touched it. Then come requests
 * that must be answered alike whatever there was before.
 */
export function finalProbes(sequence: readonly Command[]): readonly Command[] {
  const drafts = alive(sequence).flatMap((build): Command[] => [
    build,
    { ...build, input: build.input === 0 ? OTHER_INPUT : 0 },
    build,
  ]);
  // Only where alice has a session anyway: to open one costs more than the probes.
  const ofAlice = sequence.some(
    (command) => command.do === "build" && command.who === "alice" && !isStale(command),
  );
  return [...drafts, ...(ofAlice ? OF_ALICE : []), ...OF_ALL];
}

/** A build of alice for bob, one without a bearer, and one without a key. */
const OF_ALICE: readonly Command[] = [FAULT.foreignCreator, FAULT.noBearer, FAULT.noKey].map((fault) => ({
  do: "invalid",
  who: "alice",
  key: 0,
  fault,
}));
const OF_ALL: readonly Command[] = PROBES.map((_, probe) => ({ do: "probe", probe }));

/** The first build under each key, of those that neither a restart nor a wait of thirty seconds has ended. */
function alive(sequence: readonly Command[]): readonly Build[] {
  const builds = new Map<string, Build>();
  for (const command of sequence) {
    if (isKeyedBuild(command)) {
      const scope = `${command.who} ${command.key}`;
      if (!builds.has(scope)) builds.set(scope, command);
    } else if (command.do === "restart" || (command.do === "wait" && outlives(command))) builds.clear();
  }
  return [...builds.values()];
}

/** Whether a wait is longer than a draft lives: all are, but the one to just before its end. */
function outlives({ span, edge }: Extract<Command, { do: "wait" }>): boolean {
  return span !== 0 || edge === "just-after";
}
