// Types: npm install --save-dev launch-draft-conformance
import type { ServiceCall, ServiceDefinition, ServiceEnvelope } from "launch-draft-conformance";

/** The name of this service in reports. */
export const implementation = { name: "my-service", version: "0.0.0", language: "TypeScript" };

/** Values that tests cannot observe. Other facts: operatorKey, signedBytes, capacity, clockStepMs. */
export const facts: ServiceDefinition["facts"] = {
  metadataHosts: ["metadata-one.example", "metadata-two.example"],
};

/**
 * Creates a service with empty state. Keep all state in this function: tests restart the service by a new call.
 * @param now returns the current time, in ms since the Unix epoch. Use no other clock: tests move this one.
 */
export function createService({ now }: { readonly now: () => number }) {
  // `body` is a text, a Uint8Array if it is not UTF-8, or undefined if the request has none.
  async function handle({ method, path, body, bearer, idempotencyKey }: ServiceCall): Promise<ServiceEnvelope> {
    if (method === "GET" && path === "/v1/platform")
      return { status: 200, body: { mode: "OFFLINE_PROTOTYPE", productionApproved: false } };
    return { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } };
  }

  return { handle };
}
