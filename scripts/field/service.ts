/** The reference under the condition that the environment names, as a module that the kit can load. */
import {
  createService as createReference,
  type ServiceOptions,
  facts as statedFacts,
  implementation as theReference,
  capabilities as wholeCapabilities,
} from "../../reference/service.ts";
import { conditionNamed, delayOf } from "./conditions.ts";

const condition = conditionNamed(process.env["FIELD_CONDITION"]);
const stopped = new Int32Array(new SharedArrayBuffer(4));

export const implementation = theReference;
export const facts = statedFacts;
export const capabilities =
  condition.lacks === undefined ? wholeCapabilities : { ...wholeCapabilities, [condition.lacks]: false };

/** Starts a service that takes its time; a hang stops everything, as a bad regular expression does. */
export function createService(options: ServiceOptions) {
  const service = createReference(options);
  return {
    handle(request: { readonly body?: unknown }) {
      const ms = delayOf(condition, request.body);
      if (ms > 0) Atomics.wait(stopped, 0, 0, ms);
      return service.handle(request);
    },
  };
}
