import type { ServiceRequest } from "../adapters/adapter.ts";
import { remembered } from "./remembered.ts";

/** A request for a challenge or a session, and what came of it. */
interface Asking {
  readonly operation: string;
  readonly request: ServiceRequest;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Counts requests for challenges and sessions, refused ones too: a service may have enough of them for now. */
export class Asked {
  #all = 0;
  readonly #ofOne = new Map<string, number>();
  readonly #creators = new Map<string, string>();

  /** Takes note of a request and its answer. */
  note(asking: Asking): void {
    this.#all += 1;
    const creator = this.creatorOf(asking);
    if (creator === undefined) return;
    this.#ofOne.set(creator, (this.#ofOne.get(creator) ?? 0) + 1);
    const { id } = asking.body;
    if (asking.operation === "challenge" && typeof id === "string") this.#creators.set(id, creator);
  }

  /** Requests so far. */
  get ofAll(): number {
    return this.#all;
  }

  /** Requests so far of the creator of this one; 0 where it names none. */
  ofCreatorOf(asking: Pick<Asking, "operation" | "request">): number {
    return this.#ofOne.get(this.creatorOf(asking) ?? "") ?? 0;
  }

  /** Who asks: whom a request for a challenge names, and for whom the challenge was that is to be proven. */
  creatorOf({ operation, request }: Pick<Asking, "operation" | "request">): string | undefined {
    const { creator, id } = membersOf(String(request.body));
    if (operation === "verify") return typeof id === "string" ? this.#creators.get(id) : undefined;
    return typeof creator === "string" ? creator : undefined;
  }
}

/** Whoever counts asks of each request twice, and two of them may count the same requests. */
const membersOf = remembered(100, readMembers);

function readMembers(body: string): { readonly creator?: unknown; readonly id?: unknown } {
  try {
    const { creator, id } = (JSON.parse(body) ?? {}) as { readonly creator?: unknown; readonly id?: unknown };
    return { creator, id };
  } catch {
    return {};
  }
}
