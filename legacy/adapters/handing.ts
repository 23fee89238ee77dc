import type { Handing } from "./adapter.ts";
import type { ServiceCall } from "./service-call.ts";

/** What a caller in the module's own process may do with the objects that go to and fro; one for each service. */
export class Hand {
  /** The object that is handed over again and again, and the members that it was given last. */
  #object: { readonly call: ServiceCall; members: string } | undefined;
  /** An answer as the module gave it, and still has it where it kept it. */
  #kept: unknown;

  /** The call as it is handed over. */
  over(call: ServiceCall, handed: Handing | undefined): ServiceCall {
    switch (handed) {
      case "bare":
        return Object.fromEntries(
          Object.entries(call).filter(([, value]) => value !== undefined),
        ) as unknown as ServiceCall;
      case "one-object":
        return this.#again(call);
      case "key-in-list":
        return { ...call, idempotencyKey: [call.idempotencyKey] as never };
      case "key-as-object":
        return { ...call, idempotencyKey: { toString: () => call.idempotencyKey } as never };
      case "key-as-number":
        return { ...call, idempotencyKey: Number(call.idempotencyKey) as never };
      case "key-as-null":
        return { ...call, idempotencyKey: null as never };
      case "bearer-in-list":
        return { ...call, bearer: [call.bearer] as never };
      case "bearer-as-object":
        return { ...call, bearer: { toString: () => call.bearer } as never };
      case "bearer-as-number":
        return { ...call, bearer: 1 as never };
      case "bearer-as-null":
        return { ...call, bearer: null as never };
      default:
        return call;
    }
  }

  /** The answer as the caller has it, of which `copy` makes what it says now. */
  back<Copy>(answer: unknown, handed: Handing | undefined, copy: (answer: unknown) => Copy): Copy {
    if (handed === "kept") this.#kept = answer;
    return copy(handed === "as-kept" ? this.#kept : answer);
  }

  /** One object for every call: as the module left it where the same is asked again, else with its members set anew. */
  #again(call: ServiceCall): ServiceCall {
    const members = JSON.stringify(call);
    if (this.#object === undefined) this.#object = { call: { ...call }, members };
    else if (this.#object.members !== members) {
      Object.assign(this.#object.call, call);
      this.#object.members = members;
    }
    return this.#object.call;
  }
}
