import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { clientProtocolSchema } from "../../legacy/contract/client/client-protocol.schema.ts";
import {
  CLIENT_PROTOCOL_SCHEMA,
  clientProtocolSchemaText,
  clientTranscriptOfPage,
  recordClientTranscript,
} from "./client-transcript.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
ajv.addSchema(clientProtocolSchema, "protocol");
const fits = (value: unknown, part = "") => ajv.validate(`protocol${part}`, value) === true;

test("the schema of the client protocol is the kit's own: `npm run docs` writes it", () => {
  assert.equal(readFileSync(CLIENT_PROTOCOL_SCHEMA, "utf8"), clientProtocolSchemaText());
});

test("the page on the client protocol shows what goes to and fro today, and each line fits the schema", async () => {
  const transcript = await recordClientTranscript();
  assert.equal(clientTranscriptOfPage(), transcript, "`npm run docs` writes it anew");
  const lines = transcript
    .split("\n")
    .filter((line) => /^[<>] \{/.test(line))
    .map((line) => JSON.parse(line.slice(2)));
  assert.equal(lines.length, 8);
  for (const line of lines) assert.ok(fits(line), `${JSON.stringify(line)}: ${ajv.errorsText()}`);
  const [task, result, , initialized, , answer] = lines;
  assert.ok(fits(task, "#/$defs/task") && fits(result, "#/$defs/result"));
  assert.ok(fits(initialized.result, "#/$defs/initialized") && fits(answer.result, "#/$defs/result"));
});

test("what is no task, result or message does not fit the schema", () => {
  const call = { jsonrpc: "2.0", id: 1 };
  for (const wrong of [
    {},
    { draft: "x" },
    { draft: {}, refused: {} },
    { refused: { status: "429" } },
    { distrusted: true },
    { ...call, method: "launch", params: {} },
    { ...call, method: "start", params: {} },
    { ...call, result: {}, error: { code: 1, message: "both" } },
  ]) {
    assert.equal(fits(wrong), false, JSON.stringify(wrong));
  }
  assert.equal(fits({ protocol: 2 }, "#/$defs/initialized"), false);
  assert.equal(fits({ protocol: 1, facts: { signedBytes: "latin1" } }, "#/$defs/initialized"), false);
});
