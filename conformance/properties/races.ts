/** property/races: requests in flight together get what some order of them gets. */
import fc from "fast-check";
import type { Fields } from "../adapters/json.ts";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import type { Action, RequestAction } from "./checked-run.ts";
import { property } from "./property.ts";
import { proofFields } from "./requests.ts";

const KEY = "key-number-1";
const OPEN_SESSIONS: readonly Action[] = [
  { verb: "session", fields: { for: "alice" } },
  { verb: "session", fields: { for: "bob" } },
];

/** Requests to send at once, after those that prepare them. */
interface Race {
  readonly before: readonly Action[];
  readonly requests: readonly RequestAction[];
}

const builds = (times: number, fields: Fields): readonly RequestAction[] =>
  new Array<Fields>(times)
    .fill(fields)
    .map((one, index) => ({ verb: "build", fields: one, as: `build${index}` }));

/** Proofs of one challenge, the first of them invalid or all valid, and one of another creator. */
const proofs = fc
  .record({ times: fc.integer({ min: 2, max: 5 }), invalid: fc.boolean(), others: fc.boolean() })
  .map(({ times, invalid, others }): Race => {
    const requests = new Array(times).fill(0).map((_, index) => {
      const proof = invalid && index === 0 ? "flipped bit" : "valid";
      return {
        verb: "verify",
        fields: proofFields("challenge1", proof, "bob"),
        as: `session${index}`,
      } as const;
    });
    const other = { verb: "verify", fields: proofFields("challenge2", "valid", "alice") } as const;
    return {
      before: [
        { verb: "challenge", fields: { for: "alice" }, as: "challenge1" },
        { verb: "challenge", fields: { for: "bob" }, as: "challenge2" },
      ],
      requests: others ? [...requests, other] : requests,
    };
  });

/** Builds of one or two inputs under one key, with or without a draft. */
const sameKey = fc
  .record({ times: fc.integer({ min: 2, max: 5 }), isBuilt: fc.boolean(), isChanged: fc.boolean() })
  .map(({ times, isBuilt, isChanged }): Race => {
    const fields = { by: "alice", key: KEY };
    const requests = builds(times, fields).map((action, index) =>
      isChanged && index % 2 === 1 ? { ...action, fields: { ...fields, name: "Other Coin" } } : action,
    );
    return { before: [...OPEN_SESSIONS, ...(isBuilt ? builds(1, fields) : [])], requests };
  });

/** More new builds than the limit allows, alone or with those of another creator. */
const newBuilds = fc
  .record({ more: fc.integer({ min: -3, max: 3 }), others: fc.constantFrom(0, 1, BUILDS_PER_MINUTE) })
  .map(({ more, others }): Race => {
    const own = builds(BUILDS_PER_MINUTE + more, { by: "alice" });
    return { before: OPEN_SESSIONS, requests: [...own, ...builds(others, { by: "bob" })] };
  });

export const races = property({
  name: "races",
  title: "requests in flight together get what they would get one after the other, in some order",
  tries: "proofs of one challenge, builds under one key, or new builds of two creators, all at once",
  rules: ["CHALLENGE-71", "IDEMPOTENCY-70", "IDEMPOTENCY-71", "LIMIT-70", "LIMIT-71"],
  needs: ["concurrency"],
  cases: 20,
  draw: () =>
    fc.oneof(proofs, sameKey, newBuilds).map(({ before, requests }) => {
      const named = requests.map((request, index) => ({ ...request, as: `request${index}` }));
      return [...before, { verb: "together", requests: named }, ...requests.slice(0, 1)];
    }),
});
