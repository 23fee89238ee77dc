import type { Service } from "../../adapters/in-process.ts";
import type { ServiceCall } from "../../adapters/service-call.ts";

const FOUND = { status: 200, body: {} };

/** A service that answers what is asked of it to see whether an adapter's statements hold (see `PROBES`). */
export function createService({ now }: { readonly now: () => number }): Service {
  let count = 0;
  let first: (() => void) | undefined;
  return {
    async handle({ path, body }: ServiceCall) {
      if (path === "/count") return { status: 200, body: { count: ++count } };
      if (path === "/clock") return { status: 200, body: { nowMs: now() } };
      if (path === "/body")
        return {
          status: 200,
          body:
            typeof body === "string"
              ? { text: body }
              : { base64: Buffer.from(body as Uint8Array).toString("base64") },
        };
      if (first === undefined)
        await new Promise<void>((resolve) => {
          first = resolve;
        });
      else first();
      return FOUND;
    },
  };
}
