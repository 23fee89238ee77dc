import { type Body, changed, exchangeOf, GOOD } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";
import { draftWith } from "./transactions.ts";

function doubtful(
  rule: string,
  operation: keyof typeof GOOD,
  what: string,
  change: (body: Body) => unknown,
): BrokenAnswer {
  return { rule, what, exchange: changed(operation, change) };
}

/** Answers of servers to what is no operation. */
const FRAMEWORKS: readonly (readonly [method: string, path: string, status: number, body: unknown])[] = [
  ["DELETE", "/v1/platform", 405, ""],
  ["GET", "/v1/nothing", 404, "<!doctype html><title>Not found</title>"],
  ["GET", "/v1/nothing", 404, { detail: "Not Found" }],
  ["GET", "/v1/platform/", 308, "Permanent Redirect"],
  ["PATCH", "/v1/auth/verify", 501, { error: "Not Implemented" }],
  ["OPTIONS", "/v1/launch/build", 204, ""],
];

/** Legal answers that the kit advises against, each for one rule. */
export const DOUBTFUL_ANSWERS: readonly BrokenAnswer[] = [
  doubtful("CHALLENGE-40", "challenge", "an expiry as a week date", (body) => {
    body.expiresAt = "2026-W41-6T12:01:07Z";
  }),
  doubtful("SESSION-40", "verify", "an expiry as a list", (body) => {
    body.expiresAt = [2026, 10, 10, 13, 0, 7];
  }),
  doubtful("SESSION-12", "verify", "a bearer of 21 characters", (body) => {
    body.bearer = "a".repeat(21);
  }),
  ...["a space", "k\u00f6r", '"quoted"', "line\nend"].map((text) =>
    doubtful("SESSION-14", "verify", `a bearer with ${JSON.stringify(text)}`, (body) => {
      body.bearer = text.padEnd(43, "x");
    }),
  ),
  {
    rule: "DRAFT-20",
    what: "a transaction of another chain",
    exchange: draftWith(Buffer.concat([Buffer.from([2]), Buffer.alloc(128), Buffer.from("anything")])),
  },
  doubtful("COST-10", "build", "a minimum below the rents", ({ cost }) => {
    Object.assign(cost, { minimumLamports: 7, recommendedLamports: 1_000_007 });
  }),
  doubtful("COST-40", "build", "two rents for one size", ({ cost }) => {
    cost.accounts[3].historicalRentLamports -= 1;
  }),
  doubtful("COST-40", "build", "a smaller rent for a larger account", ({ cost }) => {
    cost.accounts[0].historicalRentLamports = cost.accounts[1].historicalRentLamports - 1;
  }),
  ...[
    "Error: no\n    at handle (file:///srv/service.ts:12:3)",
    'Traceback (most recent call last):\n  File "/srv/app.py", line 7',
    "thread 'main' panicked at src/main.rs:4:5",
    "service.go:77: bad",
    "goroutine 1 [running]:\nmain.main()",
  ].map((detail) => ({
    rule: "ERROR-22",
    what: `an error that tells ${JSON.stringify(detail)}`,
    exchange: exchangeOf(GOOD.verify.request, {
      status: 401,
      body: { code: "INVALID_PROOF", productionApproved: false, detail },
    }),
  })),
  ...FRAMEWORKS.map(([method, path, status, body]) => ({
    rule: "ERROR-40",
    what: `over HTTP, ${status} to ${method} ${path} with ${JSON.stringify(body)}`,
    exchange: exchangeOf({ method, path }, { status, body }),
    context: { overHttp: true },
  })),
  doubtful("DRAFT-21", "build", "a messageHash of something else", (body) => {
    body.messageHash = "0".repeat(64);
  }),
];
