import type { Test } from "../suite/vector.ts";
import type { Cases, Property } from "./property.ts";

/**
 * Defines a property. The code that draws and checks its cases is loaded for the first check.
 * @param statement `rules` are the rules that the property tests
 */
function property<Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, Cases>>>,
  statement: Pick<Property, "title" | "tries" | "rules"> & Partial<Pick<Property, "needs">>,
): Property {
  const { title, tries, rules, needs = [] } = statement;
  const place = { file: "conformance/properties/index.ts", line: 1 };
  const test: Test = {
    ...{ id: `property/${name}`, title, rules, place },
    needs: ["virtual-clock", "restart", ...needs],
  };
  return {
    ...test,
    tries,
    async check(context, options) {
      const [{ checkCases }, { [name]: cases }] = await Promise.all([import("./property.ts"), load()]);
      return checkCases(test, cases, context, options);
    },
  };
}

/** All properties, in the order in which a run checks them. */
export const PROPERTIES: readonly Property[] = [
  property("scenarios", () => import("./scenarios.ts"), {
    title: "challenges, drafts and limits behave as required, and every refusal has the right code",
    tries: "a short series of requests about challenges, idempotency windows, limits or refusal codes",
    rules: ["CHALLENGE-22", "CHALLENGE-23", "SESSION-7", "IDEMPOTENCY-5", "IDEMPOTENCY-14", "LIMIT-6"],
    needs: ["rawBody"],
  }),
  property("pairs", () => import("./codes.ts"), {
    title: "a request with two faults is refused with the code of one of the faults",
    tries: "each pair of faults of a challenge, of a proof, and of a build",
    rules: ["ERROR-1", "ERROR-2"],
    needs: ["rawBody"],
  }),
  property("texts", () => import("./text-fields.ts"), {
    title: "names, symbols and idempotency keys are accepted up to their limits, and compared as sent",
    tries:
      "names, symbols and keys whose lengths are near the limits, and texts that one or two functions change",
    rules: [
      "LAUNCH-16",
      "LAUNCH-18",
      "LAUNCH-21",
      "LAUNCH-23",
      "IDEMPOTENCY-2",
      "IDEMPOTENCY-3",
      "IDEMPOTENCY-4",
      "IDEMPOTENCY-10",
      "IDEMPOTENCY-11",
    ],
  }),
  property("addresses", () => import("./text-fields.ts"), {
    title: "public keys are accepted if they are the base58 form of 32 bytes, and refused otherwise",
    tries: "creators and mints whose base58 text is about as long as allowed, or has a wrong character",
    rules: ["CHALLENGE-12", "CHALLENGE-13", "CHALLENGE-14", "LAUNCH-9", "LAUNCH-10", "LAUNCH-11"],
  }),
  property("uris", () => import("./text-fields.ts"), {
    title: "a metadata URI is accepted only at the two gateways, without credentials, port or fragment",
    tries: "URIs of valid and invalid schemes, credentials, hosts, ports, paths and fragments",
    rules: ["LAUNCH-29", "LAUNCH-30", "LAUNCH-31", "LAUNCH-32", "LAUNCH-33", "LAUNCH-34"],
  }),
  property("spellings", () => import("./bodies.ts"), {
    title:
      "a retry in a different JSON spelling gets the same draft, and a retry with changed input does not",
    tries: "three builds under one key: one input in two JSON spellings, then changed input",
    rules: ["IDEMPOTENCY-6", "IDEMPOTENCY-7", "IDEMPOTENCY-8", "JSON-10", "DRAFT-12", "COST-8"],
    needs: ["rawBody"],
  }),
  property("universal", () => import("./bodies.ts"), {
    title:
      "every request gets an allowed response, and leaves the sessions and drafts of other creators unchanged",
    tries: "one to four requests with any method, path, body, bearer and key, between valid requests",
    rules: ["SERVICE-1", "SERVICE-2", "ERROR-1", "ERROR-2", "ENDPOINT-5", "ENDPOINT-6", "ENDPOINT-7"],
    needs: ["rawBody"],
  }),
  property("races", () => import("./races.ts"), {
    title: "concurrent requests get the same responses as in some sequential order",
    tries: "proofs of one challenge, builds under one key, or new builds of two creators, all at once",
    rules: ["CHALLENGE-71", "IDEMPOTENCY-70", "IDEMPOTENCY-71", "LIMIT-70", "LIMIT-71"],
    needs: ["concurrency"],
  }),
  property("stateful", () => import("./stateful.ts"), {
    title: "the contract allows every response in a random sequence of requests, waits and restarts",
    tries: "a sequence of challenges, proofs, builds, waits and restarts by several creators",
    rules: ["CHALLENGE-24", "SESSION-6", "SESSION-8", "IDEMPOTENCY-5", "IDEMPOTENCY-16", "LIMIT-10"],
    needs: ["rawBody"],
  }),
];
