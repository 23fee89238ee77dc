import type { OperationName } from "../../operations.ts";
import type { Deeds, Disturbance, Person } from "../script/scenario.ts";

/** How far a script has come: what it has counted, and what of it came to pass. */
export class ScriptCourse {
  readonly #disturbances: readonly Disturbance[];
  readonly #counts = new Map<Disturbance, number>();
  readonly #came = new Set<Disturbance>();

  constructor(disturbances: readonly Disturbance[]) {
    this.#disturbances = disturbances;
  }

  /** Counts a request, and gives what the script has to do with it. */
  next(operation: OperationName, person: Person | undefined): readonly Disturbance[] {
    return this.#disturbances.filter((disturbance) => {
      const { on, by, from, to = Number.POSITIVE_INFINITY } = disturbance;
      if ((on !== "every" && on !== operation) || (by !== undefined && by !== person)) return false;
      const count = (this.#counts.get(disturbance) ?? 0) + 1;
      this.#counts.set(disturbance, count);
      return count >= from && count <= to;
    });
  }

  /** These came to pass. */
  came(disturbances: readonly Disturbance[]): void {
    for (const disturbance of disturbances) this.#came.add(disturbance);
  }

  /** What had to come to pass and did not, in words; undefined where all did. */
  unreached(): string | undefined {
    const missing = this.#disturbances.filter((one) => !one.optional && !this.#came.has(one));
    if (missing.length === 0) return undefined;
    const named = missing.map(({ on, by, words }) => {
      const request = on === "every" ? "request" : `${on} request`;
      return `no ${request}${by === undefined ? "" : ` of ${by}`} came to this: ${words}`;
    });
    return named.join("; ");
  }
}

/** All that is to be done with one request: of the same thing, what the script says last; members and headers of all. */
export function deedsOf(disturbances: readonly Disturbance[]): Deeds {
  const all = disturbances.map(({ does }) => does);
  const joined = <Member extends "add" | "set" | "headers">(member: Member) => {
    const parts = all.map((one) => one[member]).filter((one) => one !== undefined);
    return parts.length === 0 ? {} : { [member]: Object.fromEntries(parts.flatMap(Object.entries)) };
  };
  return Object.assign({}, ...all, joined("add"), joined("set"), joined("headers")) as Deeds;
}
