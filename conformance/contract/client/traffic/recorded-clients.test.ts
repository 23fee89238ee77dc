import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedExchange } from "../../../engine/audit/recorded.ts";
import { ROUTES } from "../../operations.ts";
import { clientAuditFacts } from "./client-traffic-results.ts";
import { RecordedClients } from "./recorded-clients.ts";

const BODY = JSON.stringify({
  creator: "9".repeat(44),
  mint: "8".repeat(44),
  name: "n",
  symbol: "s",
  uri: "https://a.example/m",
});

let line = 0;
/** A build, as a file tells of it. */
function build(file: string, headers: Partial<RecordedExchange["request"]>): RecordedExchange {
  line += 1;
  const isNone = headers.bearer === undefined && headers.authorization === undefined;
  return {
    kind: "exchange",
    source: { file, line },
    startedMs: 10 * line,
    endedMs: 10 * line + 5,
    request: { ...ROUTES.build, body: BODY, ...headers },
    credentials: isNone ? "none" : headers.bearer === undefined ? "odd" : "bearer",
    response: { status: 400, body: '{"code":"INVALID_FIELDS","productionApproved":false}' },
  };
}

/** The rules that are found to be broken, each with the place of the request. */
function broken(...recorded: readonly RecordedExchange[]): readonly string[] {
  const clients = new RecordedClients({ signedBytes: undefined, clockDoubtMs: 0, isWhole: false });
  for (const one of recorded) clients.take(one);
  return clients.told().neglected.map(({ violation, turn }) => `${violation.rule} ${turn.source.file}`);
}

const [bearer, idempotencyKey] = ["a-bearer", "key-00001"];

test("a header that no request of a recording has is not missed there", () => {
  assert.deepEqual(broken(build("log", {}), build("log", {})), []);
  assert.deepEqual(broken(build("log", { idempotencyKey }), build("other", { bearer })), []);
});

test("a header is missed where other requests of the recording have it, before or after", () => {
  const whole = () => build("log", { bearer, idempotencyKey });
  assert.deepEqual(broken(build("log", { bearer }), whole()), ["CLIENT-BUILD-3 log"]);
  assert.deepEqual(broken(whole(), build("log", { idempotencyKey })), ["CLIENT-SESSION-1 log"]);
});

test("an answer that was not recorded whole was given all the same", () => {
  const other = (status: number): RecordedExchange => ({
    ...build("log", { bearer, idempotencyKey, body: BODY.replace('"n"', '"other"') }),
    response: { status, body: '{"code":"IDEMPOTENCY_CONFLICT","productionApproved":false}' },
  });
  const bodiless = (status: number) => ({
    ...build("log", { bearer, idempotencyKey }),
    response: { status },
  });
  assert.deepEqual(broken(bodiless(400), other(200)), []);
  assert.deepEqual(broken(bodiless(200), other(409)), ["CLIENT-RETRY-1 log"]);
});

test("a header that was taken out of a recording is held against nobody", () => {
  for (const authorization of ["[REDACTED]", "***"])
    assert.deepEqual(broken(build("log", { authorization, idempotencyKey })), []);
  const clients = new RecordedClients({ signedBytes: undefined, clockDoubtMs: 0, isWhole: false });
  clients.take(build("log", { authorization: "[REDACTED]", idempotencyKey }));
  const { exchanges, judged } = clientAuditFacts(clients.told());
  assert.deepEqual([exchanges, judged], [1, 0]);
  assert.deepEqual(broken(build("log", { authorization: "Basic YTpi", idempotencyKey })), [
    "CLIENT-SESSION-1 log",
  ]);
});
