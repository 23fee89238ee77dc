/**
 * A program that speaks the adapter protocol, and misbehaves as its argument says: in `initialize` for modes
 * that start with `start-`, otherwise in the first `handle`. Plain JavaScript, so that it starts fast.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [, , mode = ""] = process.argv;
const facts = { metadataHosts: ["a.example", "b.example"] };
const capabilities = { concurrency: true };
const info = { protocol: 1, implementation: { name: "hostile", version: "1" }, capabilities, facts };
const ESCAPES = "\u001b[2J\u202e\r::error::no";

const send = (text) => process.stdout.write(text);
const answer = (id, result, more = {}) =>
  send(`${JSON.stringify({ jsonrpc: "2.0", id, result, ...more })}\n`);
const envelope = (body = {}) => ({ status: 200, body });
const fail = (id, data) => answer(id, undefined, { error: { code: -32603, message: "no handler", data } });
const waiting = [];
const PYTHON_TRACE = `Traceback (most recent call last):
  File "a.py", line 2, in handle
    json.loads(body)
  File "/usr/lib/python3/json.py", line 9, in loads
ValueError: no`;
const JAVA_TRACE = "java.lang.Error: no\n\tat A.handle(A.java:2)\n\tat A.main(A.java:9)";

/** Actions of the program in place of a correct response, by mode. */
const MISBEHAVIOR = {
  "not-json": () => send(`${ESCAPES}\n`),
  "escapes-in-error": (id) => answer(id, undefined, { error: { code: -1, message: ESCAPES } }),
  "wrong-id": () => answer(99, envelope()),
  "text-id": (id) => answer(String(id), envelope()),
  "no-id": () => answer(undefined, envelope()),
  "null-id": () => answer(null, undefined, { error: { code: -32700, message: "cannot read it" } }),
  twice: (id) => [1, 2].map(() => answer(id, envelope())),
  "twice-late": (id) => [0, 50].map((ms) => setTimeout(() => answer(id, envelope()), ms)),
  request: (id) => answer(id, undefined, { method: "ping" }),
  "no-result": (id) => answer(id, undefined),
  "old-version": (id) => answer(id, envelope(), { jsonrpc: "1.0" }),
  array: () => send("[]\n"),
  crash: () => {
    process.stderr.write(`starting\n${ESCAPES}\nValueError: wrong value${ESCAPES}\n  at line 3\n`);
    process.exitCode = 3;
    process.stdin.destroy();
  },
  killed: () => process.kill(process.pid, "SIGKILL"),
  exits: () => process.exit(0),
  "crash-after": (id) => {
    answer(id, envelope());
    setTimeout(() => process.exit(5), 20);
  },
  closes: () => process.stdout.end(),
  silent: () => {},
  endless: () => setInterval(() => send("x".repeat(100_000)), 1),
  long: (id) => answer(id, envelope("x".repeat(2_000_000))),
  "byte-order-mark": (id) => {
    send("\ufeff");
    answer(id, envelope());
  },
  "utf-16": () => process.stdout.write(Buffer.from('{"jsonrpc":"2.0"}\n', "utf16le")),
  "latin-1": () => process.stdout.write(Buffer.from('{"jsonrpc":"\xe9"}\n', "latin1")),
  error: (id) => answer(id, undefined, { error: { code: -32603, message: "no handler" } }),
  "error-with-frames": (id) => fail(id, { frames: ["handle (a.py:2)", ESCAPES] }),
  "error-with-python-trace": (id) => fail(id, PYTHON_TRACE),
  "error-with-java-trace": (id) => fail(id, JAVA_TRACE),
  "repeated-member": (id) =>
    send(
      `{"jsonrpc":"2.0","id":${id},"result":{"status":400,"body":{"code":"A","productionApproved":true,"code":"B"}}}\n`,
    ),
  deep: (id) => send(`{"jsonrpc":"2.0","id":${id},"result":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n`),
  environment: (id) => answer(id, envelope(Object.keys(process.env).sort())),
  pieces: async (id) => {
    const text = `${JSON.stringify({ jsonrpc: "2.0", id, result: envelope("é") })}\r\n\n`;
    for (const byte of Buffer.from(text)) {
      process.stdout.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
  },
  reversed: (id, { path }) => {
    waiting.unshift(() => answer(id, envelope(path)));
    if (waiting.length === 3) for (const answerOne of waiting) answerOne();
  },
  counted: (id) => {
    // Counts the requests that arrive before any of them continues.
    if (waiting.push(id) > 1) return;
    setImmediate(() => {
      for (const one of waiting) answer(one, envelope(waiting.length));
    });
  },
  child: (id) => {
    const { pid } = spawn("sleep", ["1000"], { stdio: "inherit" });
    answer(id, envelope({ pid, parent: process.pid }));
  },
  "held-pipes": (id, { path }) => {
    if (path === "/fail") return send("not JSON\n");
    const { pid } = spawn("sleep", ["1000"], { stdio: "inherit", detached: true });
    answer(id, envelope({ pid }));
  },
  stubborn: (id, { path }) => {
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
    if (path !== "/hang") answer(id, envelope({ parent: process.pid }));
  },
};
const STATED = {
  "start-protocol": { protocol: 2 },
  "start-contract": { contract: "partner-preview-2" },
  "start-facts": { facts: { ...facts, metadataHost: "x" } },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "shutdown" && mode === "stubborn") return;
  const place = mode.startsWith("start-") ? "initialize" : "handle";
  const misbehave = MISBEHAVIOR[mode.replace(/^start-/, "")];
  if (method === place && misbehave !== undefined) return void misbehave(id, params);
  if (method === "initialize") return answer(id, { ...info, ...STATED[mode] });
  if (method === "advance") return answer(id, { nowMs: mode === "slow-clock" ? 0 : params.ms });
  answer(id, method === "handle" ? envelope(params) : {});
  if (method === "shutdown") process.exit(0);
});
