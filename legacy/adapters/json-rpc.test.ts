import assert from "node:assert/strict";
import { test } from "node:test";
import { errorLine, parseAnswer, requestText } from "./json-rpc.ts";

test("a request is one line", () => {
  assert.equal(
    requestText(3, "handle", { body: "a\nb" }),
    '{"jsonrpc":"2.0","id":3,"method":"handle","params":{"body":"a\\nb"}}',
  );
});

test("results and errors are told apart", () => {
  assert.deepEqual(parseAnswer('{"jsonrpc":"2.0","id":1,"result":null}'), {
    kind: "result",
    id: 1,
    result: null,
  });
  assert.deepEqual(parseAnswer('{"jsonrpc":"2.0","id":1,"result":{},"error":null}'), {
    kind: "result",
    id: 1,
    result: {},
  });
  assert.deepEqual(parseAnswer('{"jsonrpc":"2.0","id":1,"error":{"code":5}}'), {
    kind: "error",
    id: 1,
    error: { code: 5 },
  });
});

for (const [text, why] of [
  ["Listening on :80", 'what is no JSON: "Listening on :80"'],
  ["[]", "what is no JSON-RPC answer: []"],
  ["null", "what is no JSON-RPC answer: null"],
  ['{"id":1,"result":{}}', 'an answer without "jsonrpc":"2.0": {"id":1,"result":{}}'],
  ['{"jsonrpc":"2.0","method":"log"}', 'a request of its own: "log"'],
  ['{"jsonrpc":"2.0","result":1}', 'an answer without an id: {"jsonrpc":"2.0","result":1}'],
  ['{"jsonrpc":"2.0","id":1}', 'an answer with neither result nor error: {"jsonrpc":"2.0","id":1}'],
] as const) {
  test(`no answer: ${why}`, () => {
    const answer = parseAnswer(text);
    assert.equal(answer.kind === "none" && answer.why, why);
  });
}

test("an error is one line, whatever is in it", () => {
  assert.equal(errorLine({ code: -32603, message: "no\nluck" }), "JSON-RPC error -32603: no luck");
  assert.equal(errorLine({ code: "x", message: 5 }), "JSON-RPC error: (no message)");
});
