/** The argument of a service's `handle` (contract, "What the service does"). */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly bearer?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** An envelope. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Handle = (call: Call) => Answer;
/** A service under a clock. */
export type Start = (now: () => number) => Handle;

/** One way in which a service goes wrong, hidden behind its state: what to wrap around a good service. */
export interface HiddenFault {
  /** What is wrong, as the name of a test. */
  readonly name: string;
  /**
   * Called once for a service; what it keeps outlives restarts. Gives what is called at every start: `start` makes
   * the good service, under whatever clock it is given, and `now` is the real one in ms.
   */
  readonly make: () => (start: Start, now: () => number) => Handle | ((call: Call) => Promise<Answer>);
}

/** A fault without memory across restarts. */
export function hiddenFault(name: string, wrap: (inner: Handle, now: () => number) => Handle): HiddenFault {
  return { name, make: () => (start, now) => wrap(start(now), now) };
}

export function isChallenge({ method, path }: Call): boolean {
  return method === "POST" && path === "/v1/auth/challenge";
}

export function isVerify({ method, path }: Call): boolean {
  return method === "POST" && path === "/v1/auth/verify";
}

export function isBuild({ method, path }: Call): boolean {
  return method === "POST" && path === "/v1/launch/build";
}

/** The members of a call's JSON body that are texts; none where it is no JSON object. */
export function members({ body }: Call): Readonly<Record<string, string>> {
  try {
    const entries: [string, unknown][] = Object.entries(JSON.parse(String(body)) ?? {});
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}

/** Creator and idempotency key of a build, as one text. */
export function scopeOf(call: Call): string {
  return `${String(members(call)["creator"])} ${call.idempotencyKey}`;
}

export function refusal(status: number, code: string): Answer {
  return { status, body: { code, productionApproved: false } };
}

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Adds one; gives the new count. */
  add(name: string): number {
    const count = this.get(name) + 1;
    this.#counts.set(name, count);
    return count;
  }
}
