import type { ImplementationInfo } from "../../adapters/adapter.ts";

/**
 * What a vector or property cannot do without: `virtual-clock`, a capability of the adapter protocol, a way to be
 * reached (`http`, `in-process`), or a fact by its name. Where the implementation lacks it, the vector is skipped with that reason.
 */
export type Need = string;

/** Why something cannot be tried. */
export interface Unmet {
  /** In words, for people. */
  readonly reason: string;
  /** All that the implementation lacks for it: `capability:restart`, `fact:operatorKey`, `way:http`. */
  readonly lacks: readonly string[];
}

/** What the name of a capability begins with, where other names may stand beside it. */
export const CAPABILITY = "capability:";
/** What the name of a fact begins with, which only the implementation can tell. */
export const FACT = "fact:";
/** What lets time be moved, or long waits be left out. */
export const CLOCK = `${CAPABILITY}clock`;
/** What lets a service be started anew. */
export const RESTART = `${CAPABILITY}restart`;
/** Space for what a vector stores: only a service with more of it, or one that says how much it has, gives it. */
export const ROOM = "room";

const KNOWN: ReadonlyMap<Need, { readonly name: string; readonly lack: string }> = new Map([
  ["virtual-clock", { name: CLOCK, lack: "needs a clock that the kit can set (capability clock: virtual)" }],
  [
    "restart",
    { name: RESTART, lack: "needs a service of its own that can be restarted (capability restart)" },
  ],
  [
    "rawBody",
    {
      name: `${CAPABILITY}rawBody`,
      lack: "needs the exact text of the body to reach the service (capability rawBody)",
    },
  ],
  [
    "real-clock",
    { name: "way:real-clock", lack: "is for a clock that cannot be moved (capability clock: real)" },
  ],
  ["http", { name: "way:http", lack: "needs a server that is asked over HTTP (--url)" }],
  [
    "in-process",
    { name: "way:in-process", lack: "needs a module that is called in its own process (--module)" },
  ],
  [
    "concurrency",
    {
      name: `${CAPABILITY}concurrency`,
      lack: "needs requests that are in flight together (capability concurrency)",
    },
  ],
]);

/** The capabilities that something may need, by the names that {@link Unmet} gives them. */
export const CAPABILITIES: readonly string[] = [...KNOWN.values()]
  .map(({ name }) => name)
  .filter((name) => name.startsWith(CAPABILITY));

/** What of these needs an implementation does not meet, the first of it in words; undefined where it meets all. */
export function unmetNeed(
  needs: Iterable<Need>,
  { capabilities, facts, transport }: Pick<ImplementationInfo, "capabilities" | "facts" | "transport">,
): Unmet | undefined {
  const able: Readonly<Record<string, unknown>> = {
    ...capabilities,
    "virtual-clock": capabilities.clock === "virtual",
    "real-clock": capabilities.clock === "real",
    http: transport === "http",
    "in-process": transport === "in-process",
  };
  const stated: Readonly<Record<string, unknown>> = { ...facts };
  const unmet = [...needs].flatMap((need) => {
    const known = KNOWN.get(need);
    if (known !== undefined) return able[need] === true ? [] : [known];
    return stated[need] === undefined
      ? [{ name: `${FACT}${need}`, lack: `needs what only the implementation can tell (fact ${need})` }]
      : [];
  });
  const [first] = unmet;
  return first && { reason: first.lack, lacks: unmet.map(({ name }) => name) };
}
