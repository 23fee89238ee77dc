import type { Contradiction } from "../../engine/audit/partition.ts";
import { requestJson } from "../judge/request-json.ts";
import type { SeenExchange } from "./seen.ts";

/** Values by name, in order of insertion; old ones are forgotten. */
export class Known<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly atMs: number }>();

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value;
  }

  set(name: string, value: Value, atMs: number): void {
    this.#entries.set(name, { value, atMs });
  }

  /** Forgets values from before a moment. */
  forget(beforeMs: number): void {
    for (const [name, { atMs }] of this.#entries) {
      if (atMs >= beforeMs) return;
      this.#entries.delete(name);
    }
  }

  /** Forgets the oldest values beyond a number. */
  keep(most: number): void {
    for (const name of this.#entries.keys()) {
      if (this.#entries.size <= most) return;
      this.#entries.delete(name);
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** A challenge or a session: its creator, where known, and the exchange that gave it. */
export interface Given {
  readonly creator: string | undefined;
  readonly seen: SeenExchange;
}

/** What one response gave out. */
export interface NewlyGiven {
  /** The challenge's id, or the bearer. */
  readonly name: string;
  readonly given: Given;
  /** What was given under the same name earlier. */
  readonly earlier: Given | undefined;
  /** The violation, where another creator was given the same. */
  readonly contradiction?: Contradiction & { readonly because: readonly SeenExchange[] };
}

/** Which creators were given which challenges and bearers by one service, in recorded traffic. */
export class Ledger {
  readonly #challenges = new Known<Given>();
  readonly #sessions = new Known<Given>();

  /** The challenge of an id. */
  challenge(id: unknown): Given | undefined {
    return this.#challenges.get(String(id));
  }

  /** The session of a bearer. */
  session(bearer: string | undefined): Given | undefined {
    return this.#sessions.get(bearer ?? "");
  }

  /** Records the challenge or session that a successful response gives out. */
  take(seen: SeenExchange): NewlyGiven | undefined {
    const { operation, request, body } = seen.exchange;
    const asked = requestJson(request);
    if (operation === "challenge") {
      const creator = typeof asked?.["creator"] === "string" ? asked["creator"] : undefined;
      return noted(this.#challenges, { rule: "CHALLENGE-2", path: "id" }, body["id"], { creator, seen });
    }
    if (operation !== "verify") return undefined;
    const { creator } = this.challenge(asked?.["id"]) ?? {};
    return noted(this.#sessions, { rule: "SESSION-4", path: "bearer" }, body["bearer"], { creator, seen });
  }

  /** Forgets challenges and sessions from before a moment. */
  forget(beforeMs: number): void {
    this.#challenges.forget(beforeMs);
    this.#sessions.forget(beforeMs);
  }

  clear(): void {
    this.#challenges.clear();
    this.#sessions.clear();
  }
}

/** Records what was given under a name; none may be given to two creators. */
function noted(
  known: Known<Given>,
  { rule, path }: { readonly rule: string; readonly path: string },
  name: unknown,
  given: Given,
): NewlyGiven | undefined {
  if (typeof name !== "string") return undefined;
  const earlier = known.get(name);
  known.set(name, given, given.seen.endsMs);
  const isOthers =
    earlier?.creator !== undefined && given.creator !== undefined && earlier.creator !== given.creator;
  if (!isOthers) return { name, given, earlier };
  const [expected, got] = ["one that was given to nobody else", "one that another creator was given"];
  const differences = [{ path, expected, got }];
  const contradiction = { rules: [rule], expected, got, differences, because: [earlier.seen, given.seen] };
  return { name, given, earlier, contradiction };
}
