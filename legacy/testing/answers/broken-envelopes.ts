import { keyPairOf } from "../../contract/keys/key-pair.ts";
import { type Body, changed, exchangeOf, GOOD } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";

type Operation = keyof typeof GOOD;

const PRIVATE_KEY = "5f".repeat(32);

/** An answer with this envelope. */
function answer(rule: string, operation: Operation, what: string, envelope: unknown): BrokenAnswer {
  return { rule, what: `${operation}: ${what}`, exchange: exchangeOf(GOOD[operation].request, envelope) };
}

/** An answer with this status and a body that is otherwise right. */
function refusal(rule: string, operation: Operation, status: number, code: unknown): BrokenAnswer {
  const what = `${status} ${JSON.stringify(code) ?? "without a code"}`;
  return answer(rule, operation, what, { status, body: { code, productionApproved: false } });
}

/** A refusal on a path that the contract does not name: that, too, has to be one that it lists. */
function elsewhere(rule: string, status: number, code: unknown): BrokenAnswer {
  const exchange = exchangeOf(
    { method: "GET", path: "/" },
    { status, body: { code, productionApproved: false } },
  );
  return { rule, what: `elsewhere: ${status} ${JSON.stringify(code) ?? "without a code"}`, exchange };
}

/** What over HTTP no server may answer of its own accord either, where no operation is. */
function behindAServer(rule: string, path: string, status: number, body: object): BrokenAnswer {
  const exchange = exchangeOf({ method: "GET", path }, { status, body });
  return {
    rule,
    what: `over HTTP, ${path}: ${status} ${JSON.stringify(body)}`,
    exchange,
    context: { overHttp: true },
  };
}

function withBody(
  rule: string,
  operation: Operation,
  what: string,
  change: (body: Body) => unknown,
): BrokenAnswer {
  return { rule, what: `${operation}: ${what}`, exchange: changed(operation, change) };
}

function handsOut(name: string, value: unknown): BrokenAnswer {
  return withBody("SERVICE-5", "verify", `hands out ${name} ${JSON.stringify(value)}`, (body) => {
    body.further = [{ [name]: value }];
  });
}

const { body } = GOOD.challenge;

/** Answers that are wrong as a whole: the envelope, the status, the code, or what holds for every body. */
export const BROKEN_ENVELOPES: readonly BrokenAnswer[] = [
  answer("SERVICE-1", "platform", "no envelope", undefined),
  answer("SERVICE-1", "platform", "a text for an envelope", "200"),
  answer("SERVICE-1", "platform", "a list for an envelope", [200, {}]),
  answer("SERVICE-1", "challenge", "no status", { body }),
  answer("SERVICE-1", "challenge", "a status that is text", { status: "200", body }),
  answer("SERVICE-1", "challenge", "a status that is a fraction", { status: 200.5, body }),
  answer("SERVICE-1", "challenge", "no body", { status: 200 }),
  answer("SERVICE-1", "challenge", "a body that is text", { status: 200, body: "{}" }),
  answer("SERVICE-1", "challenge", "a body that is a list", { status: 200, body: [{}] }),
  answer("SERVICE-1", "build", "an error without a body", {
    status: 401,
    body: null,
  }),
  answer("SERVICE-2", "verify", "an error that is approved", {
    status: 401,
    body: { code: "INVALID_PROOF", productionApproved: true },
  }),
  answer("SERVICE-2", "verify", "an error that does not say", {
    status: 401,
    body: { code: "INVALID_PROOF" },
  }),

  handsOut("privateKey", PRIVATE_KEY),
  handsOut("private_key", `0x${PRIVATE_KEY.toUpperCase()}`),
  handsOut(
    "secretKey",
    Array.from({ length: 64 }, (_, index) => index),
  ),
  handsOut("secret-key", keyPairOf("leak").address),
  handsOut("keypair", Buffer.from(PRIVATE_KEY, "hex").toString("base64").replace("X", "1")),
  handsOut("privateKey", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA=="),
  handsOut("mnemonic", "zoo ".repeat(12)),
  handsOut(
    "seedPhrase",
    Array.from({ length: 24 }, () => "abandon"),
  ),

  refusal("ERROR-1", "challenge", 400, undefined),
  refusal("ERROR-1", "challenge", 400, null),
  refusal("ERROR-1", "challenge", 400, 7),
  refusal("ERROR-1", "challenge", 400, ["INVALID_FIELDS"]),
  refusal("ERROR-2", "challenge", 400, "BAD_REQUEST"),
  refusal("ERROR-2", "challenge", 400, "UNAUTHORIZED"),
  refusal("ERROR-2", "build", 409, "OFFLINE_RATE_LIMIT"),
  refusal("ERROR-2", "platform", 500, "INVALID_FIELDS"),
  refusal("ERROR-2", "platform", 302, "MOVED"),
  refusal("ENDPOINT-5", "challenge", 201, undefined),
  refusal("ENDPOINT-5", "challenge", 404, "NO_EXECUTION_ENDPOINT"),
  refusal("ENDPOINT-5", "challenge", 409, "IDEMPOTENCY_CONFLICT"),
  refusal("ENDPOINT-6", "verify", 409, "IDEMPOTENCY_CONFLICT"),
  refusal("ENDPOINT-6", "verify", 500, "INTERNAL"),
  refusal("ENDPOINT-7", "build", 202, undefined),
  refusal("ENDPOINT-7", "build", 404, "NO_EXECUTION_ENDPOINT"),

  elsewhere("ERROR-1", 404, undefined),
  behindAServer("ERROR-1", "/v1/launch/sign", 404, { productionApproved: false }),
  behindAServer("ERROR-2", "/v1/nothing", 500, { productionApproved: false }),
  behindAServer("SERVICE-2", "/v1/nothing", 404, { productionApproved: true }),
  elsewhere("ERROR-2", 404, "NOT_FOUND"),
  elsewhere("ERROR-2", 405, "METHOD_NOT_ALLOWED"),
  withBody("PLATFORM-10", "platform", "another wallet than before", (profile) => {
    profile.feeWallet = keyPairOf("somebody else").address;
  }),
];
