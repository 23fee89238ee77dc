/** The statement signed and verified by Sigstore's libraries, as docs/attestation.md has it, with throw-away keys. */
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PATHS } from "../paths.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { inTotoStatement } from "./in-toto.ts";

interface Shown {
  signed(statement: Buffer, privateKey: KeyObject, keyHint: string): string;
  verifiedResult(bundle: string, publicKey: KeyObject, keyHint: string, file: Buffer): { result: string };
}

/** The two functions of the page. */
async function shown(): Promise<Shown> {
  const page = readFileSync(join(PATHS.root, "docs/attestation.md"), "utf8");
  const blocks = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const folder = temporaryDirectory({ after } as never);
  symlinkSync(join(PATHS.root, "node_modules"), join(folder, "node_modules"));
  const modules = blocks.map(async (block, index) => {
    const file = join(folder, `block-${index}.mjs`);
    writeFileSync(file, block);
    return import(pathToFileURL(file).href);
  });
  return Object.assign({}, ...(await Promise.all(modules)));
}

const { signed, verifiedResult } = await shown();
const file = Buffer.from("export function createService() {}\n");
const subject = { name: "service.ts", sha256: createHash("sha256").update(file).digest("hex") };
const report = smallReport([resultOf("limits/all", ["LIMIT-1", "LIMIT-2", "ERROR-1"])]);
const statement = Buffer.from(inTotoStatement(report, subject));
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const bundle = signed(statement, privateKey, "throw-away");

/** The bundle with something about its envelope changed. */
function altered(change: (envelope: { payload: string; payloadType: string }) => void): string {
  const copy = JSON.parse(bundle);
  change(copy.dsseEnvelope);
  return JSON.stringify(copy);
}

const inBase64 = (text: string) => Buffer.from(text).toString("base64");

test("a statement that was signed is verified, and is the statement to the byte", () => {
  assert.equal(verifiedResult(bundle, publicKey, "throw-away", file).result, "PASSED");
  const { dsseEnvelope, mediaType } = JSON.parse(bundle);
  assert.match(mediaType, /^application\/vnd\.dev\.sigstore\.bundle/);
  assert.equal(dsseEnvelope.payload, statement.toString("base64"));
});

for (const [what, spoilt] of [
  ["another byte", altered((one) => Object.assign(one, { payload: inBase64(`${statement} `) }))],
  ["another type", altered((one) => Object.assign(one, { payloadType: "application/json" }))],
] as const) {
  test(`a signature holds for no envelope with ${what}`, () => {
    assert.throws(
      () => verifiedResult(spoilt, publicKey, "throw-away", file),
      /signature verification failed/,
    );
  });
}

test("another key, an unknown one, another file and another kind of statement are no result", () => {
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  assert.throws(() => verifiedResult(bundle, other.publicKey, "throw-away", file), /signature verification/);
  assert.throws(() => verifiedResult(bundle, publicKey, "somebody", file), /key/i);
  const elsewhere = Buffer.from("another file");
  assert.throws(() => verifiedResult(bundle, publicKey, "throw-away", elsewhere), /a result of another file/);
  const provenance = Buffer.from(JSON.stringify({ ...JSON.parse(`${statement}`), predicateType: "made-up" }));
  const unlike = signed(provenance, privateKey, "throw-away");
  assert.throws(() => verifiedResult(unlike, publicKey, "throw-away", file), /no test result: made-up/);
});
