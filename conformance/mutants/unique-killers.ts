import type { JudgedBank } from "./judge-bank.ts";

/** Suites and properties that no broken service needs, with the reason why they are there. */
const EXCUSED: ReadonlyMap<string, string> = new Map([
  [
    "property/races",
    "races as in the vectors with `together`, in other sizes and in every order; what breaks one breaks the other",
  ],
  [
    "property/stateful",
    "what it alone finds waits for several things to happen together: `npm run hidden-faults` hunts such services",
  ],
  [
    "over-http",
    "what only a server shows, while the bank is judged in process: conformance/cli/over-http.test.ts tries it",
  ],
]);

/** The broken services of which a suite or property is the unique killer: nothing else catches them. */
export interface UniqueKillers {
  /** Suite or property -> ids of services of which a rule survives without it. */
  readonly services: ReadonlyMap<string, readonly string[]>;
  /** Suites and properties that could be deleted without a service surviving, and that give no reason for themselves. */
  readonly needless: readonly string[];
  /** The same with their reasons. */
  readonly excused: ReadonlyMap<string, string>;
}

/**
 * Finds out what would be noticed if it were deleted.
 * @param suites names of all suites
 * @param properties ids of all properties
 */
export function uniqueKillers(
  { broken, brokenOutcomes }: Pick<JudgedBank, "broken" | "brokenOutcomes">,
  suites: readonly string[],
  properties: readonly string[],
): UniqueKillers {
  const services = new Map<string, string[]>([...suites, ...properties].map((check) => [check, []]));
  for (const { id, breaks } of broken) {
    const caughtBy = brokenOutcomes.get(id)?.caughtBy ?? {};
    const killers = new Set(breaks.flatMap((rule) => onlyOne((caughtBy[rule] ?? []).map(checkOf))));
    for (const check of killers) services.get(check)?.push(id);
  }
  const idle = [...services].filter(([, ids]) => ids.length === 0).map(([check]) => check);
  return {
    services,
    needless: idle.filter((check) => !EXCUSED.has(check)),
    excused: new Map(idle.flatMap((check) => [...EXCUSED].filter(([id]) => id === check))),
  };
}

function onlyOne(checks: readonly string[]): readonly string[] {
  const distinct = [...new Set(checks)];
  return distinct.length === 1 ? distinct : [];
}

/** The suite of a vector; a property is a check by itself. */
function checkOf(id: string): string {
  const [first = ""] = id.split("/");
  return first === "property" ? id : first;
}
