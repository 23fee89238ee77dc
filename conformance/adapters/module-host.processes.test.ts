import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Adapter, ImplementationError } from "./adapter.ts";
import { InProcessAdapter } from "./in-process.ts";
import { DEFAULT_OPTIONS } from "./protocol.ts";
import { openProgram } from "./stdio.ts";

const PROBE = { method: "GET", path: "/v1/platform" };
const contract = { version: "partner-preview-1", probe: PROBE };
const folder = mkdtempSync(join(tmpdir(), "module-host-"));
after(() => rmSync(folder, { recursive: true }));

const FACTS = 'export const facts = { metadataHosts: ["a.example", "b.example"] };';
const RESPONDS = "export const createService = () => ({ handle: () => ({ status: 200, body: 1 }) });";

const TEXT = `${FACTS} ${RESPONDS}`;

function writeModule(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Returns the result or the error message of each call to a new service, and closes the adapter. */
async function play(adapter: Adapter, passedAs: readonly (string | undefined)[] = [undefined]) {
  try {
    const service = await adapter.start(5);
    const results: unknown[] = [];
    for (const one of passedAs) {
      const request = {
        ...PROBE,
        idempotencyKey: "12345678",
        ...(one === undefined ? {} : { passedAs: one }),
      };
      results.push(await service.handle(request).catch(({ message }: Error) => message));
      await service.advance(10).catch(() => {});
    }
    return results;
  } finally {
    await adapter.close();
  }
}

const openModule = (file: string, timeoutMs = 20_000) =>
  openProgram({ ...DEFAULT_OPTIONS, contract, module: file, timeoutMs, graceMs: 5_000 });

describe("a module in a separate process", { concurrency: 2 }, () => {
  for (const [name, text] of Object.entries({
    "plain.mjs": TEXT,
    "plain.js": TEXT,
    "common.cjs": `const all = module.exports = {}; ${TEXT.replaceAll("export const ", "all.")}`,
    "whole.cts": `const all: any = {}; ${TEXT.replaceAll("export const ", "all.")}; export = all;`,
    "typed.ts": `${FACTS} ${RESPONDS} const _typed: number = 1;`,
    "typed.mts": `${FACTS} ${RESPONDS} const _typed: number = 1;`,
  }))
    test(`is loaded from ${name}`, async () => {
      const adapter = await openModule(writeModule(name, text));
      assert.equal(adapter.info.implementation.name, name);
      assert.equal(adapter.info.transport, "in-process");
      assert.deepEqual(await play(adapter), [{ status: 200, body: 1 }]);
    });

  for (const [name, text, message] of [
    [
      "throws.ts",
      `throw new Error("no\\u001b[2Jdatabase\\nmore")`,
      "FILE cannot be loaded: no\\u{1b}[2Jdatabase",
    ],
    ["syntax.ts", "const = 1;", /^initialize: FILE cannot be loaded: FILE:1:6: ERROR: Expected identifier/],
    ["empty.mjs", FACTS, "empty.mjs must export a function createService; it exports facts"],
    ["exits.mjs", "process.exit(7)", "the program exited with status 7 and wrote nothing to standard error"],
    ["await.cts", "await 1; export {};", /Top-level await .*; rename the file to \.mts$/],
    [
      "await.js",
      "await 1; exports.x = 1;",
      /; add "type": "module" to package\.json, or rename the file to \.mjs$/,
    ],
    ["missing.mjs", undefined, /^FILE: no such file$/],
  ] as const)
    test(`is refused: ${name}`, async () => {
      const file = text === undefined ? join(folder, name) : writeModule(name, text);
      const error = await openModule(file).then(
        () => assert.fail("expected an error"),
        (thrown) => thrown,
      );
      const shown = error.message.replaceAll(file, "FILE");
      if (typeof message === "string") assert.equal(shown, `initialize: ${message}`);
      else assert.match(shown, message);
    });

  for (const [name, body, message] of [
    ["loops", "for (;;);", /^GET .*: the program did not answer within 1 s$/],
    ["leaves", "process.exit(2);", /^GET .*: the program exited with status 2 and wrote nothing/],
    [
      "throws-later",
      "setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});",
      /^GET .*: the program exited with status 1: Error: late$/,
    ],
    ["throws", "throw new Error('now');", /^GET \/v1\/platform: handle failed: now$/],
  ] as const)
    test(`fails a request: ${name}`, async () => {
      const service = `export const createService = () => ({ handle: () => { ${body} } });`;
      const file = writeModule(`${name}.mjs`, `${FACTS} ${service}`);
      const [result] = await play(await openModule(file, name === "loops" ? 1_000 : 20_000));
      assert.match(String(result), message);
    });

  test("shows only the frames of the module in the stack of an error", async () => {
    const file = writeModule(
      "deep.mjs",
      `${FACTS}
const check = (call) => { JSON.parse(call.path); };
export const createService = () => ({ async handle(call) { return check(call); } });`,
    );
    const adapters = [
      await openModule(file),
      new InProcessAdapter(await import(pathToFileURL(file).href), basename(file)),
    ];
    for (const adapter of adapters) {
      const service = await adapter.start(0);
      await assert.rejects(service.handle(PROBE), ({ details: { frames = [] } }: ImplementationError) => {
        const names = frames.map((frame) => frame.replace(`${file}:`, ""));
        assert.deepEqual(names.slice(-2), ["check (2:32)", "handle (3:67)"]);
        return frames.every((frame) => !/node:|conformance/.test(frame));
      });
      await adapter.close();
    }
  });

  for (const type of ["commonjs", "module"])
    test(`shows lines of the source of a TypeScript module of type ${type}`, async () => {
      const own = mkdtempSync(join(folder, "own-"));
      writeFileSync(join(own, "package.json"), JSON.stringify({ type }));
      writeFileSync(
        join(own, "parse.ts"),
        "interface Unused {}\nexport const parse = (text: string) =>\n  JSON.parse(text);",
      );
      const file = join(own, "typed.ts");
      writeFileSync(
        file,
        `interface Call { path: string }
import { parse } from "./parse.js";
${FACTS}
export const createService = () => ({
  async handle(call: Call) { return parse(call.path); },
});`,
      );
      const adapter = await openModule(file);
      const service = await adapter.start(0);
      await assert.rejects(service.handle(PROBE), ({ message, details }: ImplementationError) => {
        assert.match(message, /^GET \/v1\/platform: handle failed: SyntaxError: Unexpected token/);
        const frames = details.frames?.map((frame) => frame.replace(`${own}/`, ""));
        assert.deepEqual(frames, ["parse (parse.ts:3:8)", "handle (typed.ts:5:37)"]);
        return true;
      });
      await adapter.close();
    });

  test("starts all requests of the same turn before any of them continues", async () => {
    const file = writeModule(
      "counts.mjs",
      `${FACTS}
export const createService = () => {
  let started = 0;
  return { async handle() { started += 1; await null; return { status: 200, body: started }; } };
};`,
    );
    const adapter = await openModule(file);
    const service = await adapter.start(0);
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.handle(PROBE)));
    await adapter.close();
    assert.deepEqual(responses, Array(20).fill({ status: 200, body: 20 }));
  });

  test("gives the same results as a module in this process", async () => {
    const request = { ...PROBE, idempotencyKey: "12345678" };
    /** Each value that a module returns (as code), the result that the kit gets, and the member `passed-as`. */
    const cases: readonly (readonly [string, unknown, string?])[] = [
      ["{ status: NaN, body: -Infinity, absent: undefined }", { status: "(NaN)", body: "(-Infinity)" }],
      ["{ date: new Date(0), list: [undefined] }", { date: "1970-01-01T00:00:00.000Z", list: [null] }],
      ["undefined", "(undefined)"],
      ["{ status: 200n }", 'handle failed: "status" is a bigint, which JSON cannot encode'],
      [
        "[shared].map((one) => (one.self = one))",
        "handle failed: TypeError: Converting circular structure to JSON",
      ],
      ["{ get status() { throw new Error('no status'); } }", "handle failed: no status"],
      ["'x'.repeat(2_000_000)", "handle failed: the response is longer than 1 MiB"],
      ["delete shared.self && shared", { count: 7 }, "kept"],
      ["shared", { count: 8 }, "as-kept"],
      ["{ ...call, names: Object.keys(call) }", { ...request, names: Object.keys(request) }, "bare"],
      ["call", { ...request, idempotencyKey: ["12345678"] }, "key-in-list"],
      ["call", { ...request, idempotencyKey: 12345678 }, "key-as-number"],
      ["now()", 125],
    ];
    const functions = cases.map(([value]) => `() => (${value})`);
    const file = writeModule(
      "values.mjs",
      `${FACTS}
      export function createService({ now }) {
        console.log('{"jsonrpc":"2.0","id":1,"result":{}}');
        const shared = { count: 0 };
        let calls = 0;
        return {
          async handle(call) {
            shared.count = calls;
            return [${functions}][calls++]();
          },
        };
      }`,
    );
    const passedAs = cases.map(([, , one]) => one);
    const inProcess = new InProcessAdapter(await import(pathToFileURL(file).href), basename(file));
    const expected = cases.map(([, result]) => result);
    assert.deepEqual(await play(inProcess, passedAs), expected);
    const label = /^GET \/v1\/platform: (?=handle failed)/;
    const results = await play(await openModule(file), passedAs);
    assert.deepEqual(
      results.map((result) => (typeof result === "string" ? result.replace(label, "") : result)),
      expected,
    );
  });
});
