import type { Exchange } from "../contract/exchange.ts";

/** The creators of the challenges and sessions of a service, as its responses show them. */
export class Owners {
  /** Undefined if the request names no creator, or two. */
  readonly #ofChallenge = new Map<unknown, string | undefined>();
  readonly #ofBearer = new Map<unknown, string>();

  /** Records the challenge or the session of a response. */
  record({ operation, status, body: { id, bearer }, input }: Exchange): void {
    if (status !== 200) return;
    if (operation === "challenge" && typeof id === "string") {
      const { creator } = input ?? {};
      this.#ofChallenge.set(id, typeof creator === "string" ? creator : this.ofChallenge(id));
    }
    const creator = operation === "verify" ? this.ofChallenge(input?.["id"]) : undefined;
    if (creator !== undefined && typeof bearer === "string") this.#ofBearer.set(bearer, creator);
  }

  /** Returns whether an earlier challenge has this ID. */
  hasIssued(id: unknown): boolean {
    return this.#ofChallenge.has(id);
  }

  /** Returns the creator of a challenge. Undefined if it is unknown. */
  ofChallenge(id: unknown): string | undefined {
    return this.#ofChallenge.get(id);
  }

  /** Returns the creator of the session with a bearer. Undefined if it is unknown. */
  ofBearer(bearer: unknown): string | undefined {
    return this.#ofBearer.get(bearer);
  }
}
