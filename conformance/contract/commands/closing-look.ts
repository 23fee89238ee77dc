import { EXECUTION, type Letter, LIMITS, type Sight } from "./alphabet.ts";

type Build = Extract<Letter, { kind: "build" }>;

/**
 * What is asked when a sequence is over, so that it shows what it left behind: each draft that still lives is asked
 * for again, then with other input, and then once more, since the conflict must not have touched it. Then come requests
 * that must be answered alike whatever there was before.
 */
export function closingLook(letters: readonly Letter[]): readonly Letter[] {
  const drafts = alive(letters).flatMap((build): Letter[] => [
    build,
    { ...build, input: build.input === 1 ? 2 : 1 },
    build,
  ]);
  // Only where alice has a session anyway: to open one costs more than the look.
  const sights: readonly Sight[] = letters.some(isOfAlice) ? [...OF_ALICE, ...OF_ALL] : OF_ALL;
  return [...drafts, ...sights.map((at): Letter => ({ kind: "look", at }))];
}

const OF_ALICE: readonly Sight[] = ["foreign", "bare", "unkeyed"];
const OF_ALL: readonly Sight[] = ["profile", "terms", ...EXECUTION];

function isOfAlice(letter: Letter): boolean {
  return letter.kind === "spend" || (letter.kind === "build" && letter.who === "alice");
}

/** The first build under each key, of those that neither a restart nor a wait of thirty seconds has ended. */
function alive(letters: readonly Letter[]): readonly Build[] {
  const builds = new Map<string, Build>();
  for (const letter of letters) {
    if (letter.kind === "build") {
      const scope = `${letter.who} ${letter.key}`;
      if (!builds.has(scope)) builds.set(scope, letter);
    } else if (letter.kind === "restart" || (letter.kind === "wait" && outlives(letter.limit)))
      builds.clear();
  }
  return [...builds.values()];
}

function outlives(limit: number): boolean {
  return LIMITS[limit]?.span !== "30s" || LIMITS[limit].edge === "just-after";
}
