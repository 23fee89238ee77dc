/** What services are like where people run them, beside a fresh one that answers at once. */
export interface Condition {
  readonly name: string;
  /** What is done to the requests on their way to the service; nothing where it is only told what it cannot do. */
  readonly delay?: "each" | "long-uris";
  /** What the adapter says that it cannot do. */
  readonly lacks?: "concurrency" | "restart";
  /** What stands before a service that is reached by HTTP. */
  readonly front?: "framework" | "proxy";
  /** Whether another run came just before. */
  readonly judgedBefore?: true;
}

/** Time that a slow service takes for each request, in ms. */
export const SLOW_MS = 50;
/** Time that a request hangs, in ms: more than the kit's own limit. */
export const HANG_MS = 6_000;

/** Name of the condition of a service that is new and answers at once. */
export const FRESH = "fresh";

export const CONDITIONS = [
  { name: FRESH },
  { name: "judged before", judgedBefore: true },
  { name: "50 ms a request", delay: "each" },
  { name: "hangs 6 s on long URIs", delay: "long-uris" },
  { name: "no concurrency", lacks: "concurrency" },
  { name: "no restart", lacks: "restart" },
  { name: "framework answers 405", front: "framework" },
  { name: "proxy adds headers", front: "proxy" },
] as const satisfies readonly Condition[];

/** What a condition does to a request with that body before it is answered, in ms to wait. */
export function delayOf({ delay }: Condition, body: unknown): number {
  if (delay === "each") return SLOW_MS;
  return delay === "long-uris" && /"uri":"[^"]{190}/.test(String(body)) ? HANG_MS : 0;
}

/** The condition of that name. @throws {Error} where there is none */
export function conditionNamed(name: string | undefined): Condition {
  const found = CONDITIONS.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`no condition is called ${name}`);
  return found;
}
