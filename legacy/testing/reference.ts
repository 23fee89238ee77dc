import { pathToFileURL } from "node:url";
import type { Service, ServiceCall, ServiceModule } from "../adapters/in-process.ts";
import { PATHS } from "../paths.ts";

/** The bundled reference, reached by its path like any other implementation. */
export const reference = (await import(pathToFileURL(PATHS.reference).href)) as ServiceModule;

/** An envelope whose body can be changed at will. */
export interface Envelope {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers in order to spoil them
  body: any;
}

/** The reference with one thing about it changed: what `spoil` does to an answer, or gives instead of it. */
export function spoiled(
  spoil: (answer: Envelope, call: ServiceCall) => unknown,
  stated: Pick<ServiceModule, "facts" | "capabilities" | "implementation"> = {},
): ServiceModule {
  return {
    facts: reference.facts,
    implementation: { name: "spoiled reference", version: "1" },
    ...stated,
    async createService(options) {
      const service: Service = await reference.createService(options);
      return {
        handle(call) {
          const answer = structuredClone(service.handle(call)) as Envelope;
          const instead = spoil(answer, call);
          return instead === undefined ? answer : instead;
        },
      };
    },
  };
}
