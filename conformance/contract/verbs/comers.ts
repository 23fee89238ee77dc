import type { Exchange } from "../../engine/play/exchange.ts";
import { BUILDS_PER_MINUTE } from "../operations.ts";

/** The answer to somebody who came for a draft, and whether it is that to a build. */
interface Tried {
  readonly exchange: Pick<Exchange, "status">;
  readonly ofStore: boolean;
}

/** Those who come to a service for one entry each, or for as many drafts as one may have at one instant. */
export class Comers {
  #came = 0;
  /** Who is signed in and has builds left, with how many were made; whoever built longest ago comes first. */
  readonly #builders = new Map<string, number>();
  /** Whether nobody else can sign in. */
  #closed = false;

  /** Somebody who has not come before. */
  newcomer(): string {
    this.#came += 1;
    return `crowd ${this.#came - 1}`;
  }

  /**
   * Who builds next: whoever is signed in and may, in turn, so that the last to build has builds left, or else somebody
   * new; undefined where nobody can.
   */
  builder(): string | undefined {
    const [signedIn] = this.#builders.keys();
    return signedIn ?? this.newBuilder();
  }

  /** Somebody who has not come before, while there is room for one more session. */
  newBuilder(): string | undefined {
    return this.#closed ? undefined : this.newcomer();
  }

  /** Takes note of a try of somebody new, or of whose turn it was, to build. */
  tried(actor: string, { exchange, ofStore }: Tried): void {
    if (!ofStore) {
      this.#closed = true;
      return;
    }
    const builds = (this.#builders.get(actor) ?? 0) + (exchange.status === 200 ? 1 : 0);
    this.#builders.delete(actor);
    if (builds < BUILDS_PER_MINUTE) this.#builders.set(actor, builds);
  }
}
