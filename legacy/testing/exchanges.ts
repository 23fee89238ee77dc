import type { ServiceRequest } from "../adapters/adapter.ts";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { judgeExchange } from "../contract/judge/judge.ts";
import type { JudgeContext } from "../contract/judge/judge-context.ts";
import { keyPairOf } from "../contract/keys/key-pair.ts";
import { proofText } from "../contract/keys/proof.ts";
import { type Operation, operationOf } from "../contract/operations.ts";
import { launchMembers } from "../contract/verbs/requests.ts";
import { type Exchange, readEnvelope } from "../engine/play/exchange.ts";
import type { Judgement } from "../engine/play/judgement.ts";
import { EXACT } from "../engine/play/timekeeping.ts";
import { reference } from "./reference.ts";

/** When the good answers were given: between two seconds. */
export const ISSUED_AT = Date.UTC(2026, 9, 10, 12, 0, 7, 137);

/** What the judge knows of the reference. */
export const CONTEXT: JudgeContext = await (async () => {
  const { info } = await inProcessAdapter(reference, { name: "reference" }).connect();
  return { facts: info.facts, timekeeping: EXACT, clockToleranceMs: 0, profile: undefined };
})();

/** An exchange as the kit records it. */
export function exchangeOf(request: ServiceRequest, envelope: unknown, at = ISSUED_AT): Exchange {
  const operation = operationOf(request.method, request.path);
  return { operation, request, ...readEnvelope(envelope), sentAt: at, answeredAt: at, plannedMs: 0 };
}

/** One good answer of the reference for each operation. */
export const GOOD: Readonly<Record<Exclude<Operation, "other">, Exchange>> = await (async () => {
  const connection = await inProcessAdapter(reference, { name: "reference" }).connect();
  await connection.start(ISSUED_AT);
  const ask = async (request: ServiceRequest) => exchangeOf(request, await connection.handle(request));
  const post = (path: string, body: object, credentials = {}) =>
    ask({ method: "POST", path, body: JSON.stringify(body), ...credentials });
  const alice = keyPairOf("alice");
  const platform = await ask({ method: "GET", path: "/v1/platform" });
  const creator = alice.address;
  const challenge = await post("/v1/auth/challenge", { creator, termsHash: platform.body["termsHash"] });
  const { id, message } = challenge.body;
  const signatureBase64 = proofText({ signer: alice, text: String(message), signedBytes: "utf8" });
  const verify = await post("/v1/auth/verify", { id, signatureBase64 });
  const build = await post(
    "/v1/launch/build",
    launchMembers(alice.address, keyPairOf("gold").address, CONTEXT.facts.metadataHosts[0], "1"),
    { bearer: String(verify.body["bearer"]), idempotencyKey: "key-00000001" },
  );
  return { platform, challenge, verify, build };
})();

/** What the judge says of an answer, with the good profile known. */
export function judged(exchange: Exchange, context: Partial<JudgeContext> = {}): Judgement {
  return judgeExchange(exchange, { ...CONTEXT, profile: GOOD.platform.body, ...context });
}

/** A good answer with one thing changed. */
export function changed(operation: keyof typeof GOOD, change: (body: Body) => unknown): Exchange {
  const good = GOOD[operation];
  const body = structuredClone(good.body) as Body;
  change(body);
  return exchangeOf(good.request, { status: 200, body });
}

/** A body that a test may spoil. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers in order to spoil them
export type Body = any;
