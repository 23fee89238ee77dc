import type { Exchange } from "../../engine/play/exchange.ts";
import type { Mismatch } from "../../engine/play/judgement.ts";

/** The ids and bearers that one instance of the service gave out, and to whom: none is given to two. */
export class Issued {
  readonly #ids = new Set<string>();
  readonly #bearers = new Map<string, string>();

  /**
   * What is wrong with a successful answer beside all others; takes note of it.
   * @param creatorOf who asked, where that is known
   */
  mismatches(
    { operation, status, body }: Exchange,
    creatorOf: () => string | undefined,
  ): readonly Mismatch[] {
    if (status !== 200) return [];
    const { id, bearer } = body;
    if (operation === "challenge" && typeof id === "string") {
      if (!this.#ids.has(id)) this.#ids.add(id);
      else return [repeated("CHALLENGE-2", "id", "an id that no earlier challenge had", id)];
    }
    if (operation !== "verify" || typeof bearer !== "string") return [];
    const creator = creatorOf();
    if (creator === undefined) return [];
    const owner = this.#bearers.get(bearer) ?? creator;
    this.#bearers.set(bearer, owner);
    return owner === creator
      ? []
      : [repeated("SESSION-4", "bearer", "another bearer than the other creator's", "the same one")];
  }
}

function repeated(rule: string, path: string, expected: string, got: string): Mismatch {
  return { rule, path, expected, got };
}
