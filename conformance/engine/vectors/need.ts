import type { ImplementationInfo } from "../../adapters/adapter.ts";

/**
 * What a vector or property cannot do without: `virtual-clock`, a capability of the adapter protocol, a way to be
 * reached (`http`, `in-process`), or a fact by its name. Where the implementation lacks it, the vector is skipped with that reason.
 */
export type Need = string;

const CAPABILITIES: ReadonlyMap<Need, string> = new Map([
  ["virtual-clock", "needs a clock that the kit can set (capability clock: virtual)"],
  ["restart", "needs a service of its own that can be restarted (capability restart)"],
  ["rawBody", "needs the exact text of the body to reach the service (capability rawBody)"],
  ["http", "needs a server that is asked over HTTP (--url)"],
  ["in-process", "needs a module that is called in its own process (--module)"],
  ["concurrency", "needs requests that are in flight together (capability concurrency)"],
]);

/** The first of these needs that an implementation does not meet, in words; undefined where it meets all. */
export function unmetNeed(
  needs: Iterable<Need>,
  { capabilities, facts, transport }: Pick<ImplementationInfo, "capabilities" | "facts" | "transport">,
): string | undefined {
  const able: Readonly<Record<string, unknown>> = {
    ...capabilities,
    "virtual-clock": capabilities.clock === "virtual",
    http: transport === "http",
    "in-process": transport === "in-process",
  };
  const known: Readonly<Record<string, unknown>> = { ...facts };
  for (const need of needs) {
    const lack = CAPABILITIES.get(need);
    if (lack === undefined && known[need] === undefined)
      return `needs what only the implementation can tell (fact ${need})`;
    if (lack !== undefined && able[need] !== true) return lack;
  }
  return undefined;
}
