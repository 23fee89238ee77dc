import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serveHttp } from "../../reference/http.ts";
import { type ControlledModule, controlledService } from "../../reference/http-control.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { run } from "../engine/run/run.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { type Adapter, AdapterFault } from "./adapter.ts";
import { httpAdapter } from "./http.ts";
import { inProcessAdapter, type ServiceModule } from "./in-process.ts";
import { moduleProcessAdapter } from "./module-process.ts";
import { stdioAdapter } from "./stdio.ts";
import { toldBytes } from "./told-bytes.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const HEADED = path("../testing/services/signs-below-a-heading.ts");
const STDIO = path("../examples/typescript/skeleton-stdio.ts");
const headed = (await import(pathToFileURL(HEADED).href)) as ServiceModule & ControlledModule;
const FACTS = { metadataHosts: ["a.example", "b.example"], signedBytes: "adapter" };

const kit = loadKitData();

/** What the kit says of a few vectors, and of as many random sequences as are told. */
async function judged(adapter: Adapter, runs = 0) {
  return run({
    ...kit,
    adapter,
    kitVersion: "",
    seed: 1,
    only: ["verify/honest*", "verify/over*", "verify/message*", ...(runs === 0 ? [] : ["property/stateful"])],
    bail: false,
    runs,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
}

async function controlled(context: TestContext, module: ControlledModule) {
  const service = await controlledService(module, 0);
  const server = await serveHttp(service, { port: 0, control: service.control });
  context.after(() => server.close());
  return httpAdapter({ url: server.url, controlUrl: `${server.url}/control` });
}

const command = (file: string) =>
  [process.execPath, "--import", import.meta.resolve("tsx"), STDIO, file].map(shellQuote).join(" ");

const DOORS: readonly (readonly [string, (context: TestContext) => Promise<Adapter>])[] = [
  ["in process", async () => inProcessAdapter(headed, { name: "headed" })],
  ["a module in its thread", async () => moduleProcessAdapter({ file: HEADED })],
  ["standard input and output", async () => stdioAdapter({ command: command(HEADED) })],
  ["HTTP and a control URL", (context) => controlled(context, headed)],
];
for (const [door, open] of DOORS) {
  test(`over ${door}, what is signed is what the adapter tells`, async (context) => {
    const adapter = await open(context);
    context.after(() => adapter.close());
    const { results, choices } = await judged(adapter, door === "in process" ? 4 : 0);
    const wrong = results.filter(({ outcome }) => outcome !== "passed");
    assert.deepEqual(
      wrong.map(({ id, failures }) => [id, failures.map(({ got }) => got)]),
      [],
    );
    assert.equal(choices.find(({ point }) => point === "SIGNED-BYTES")?.observed, "adapter");
  });
}

/** Rejects with a fault of one line that matches. */
const fault = (text: RegExp) => (error: unknown) =>
  error instanceof AdapterFault && text.test(error.message) && !error.message.includes("\n");

test("a module that exports no bytesToSign is told of it before anything is sent", async () => {
  const { bytesToSign: _, ...silent } = headed;
  const adapter = inProcessAdapter(silent as ServiceModule, { name: "silent" });
  await assert.rejects(adapter.connect(), fault(/^silent: facts\.signedBytes is adapter, but no function/));
});

test("a process that does not answer bytesToSign ends the run at its start", async (context) => {
  const source = `export { capabilities, createService, facts, implementation } from ${JSON.stringify(pathToFileURL(HEADED).href)};`;
  const adapter = stdioAdapter({ command: command(moduleFile(context, "silent.ts", source)) });
  context.after(() => adapter.close());
  const told =
    /^bytesToSign: the adapter sent JSON-RPC error .*; where facts\.signedBytes is adapter, bytesToSign/;
  await assert.rejects(judged(adapter), fault(told));
});

test("a control URL that does not answer bytesToSign ends the run at its start", async (context) => {
  const { bytesToSign: _, ...silent } = headed;
  const adapter = await controlled(context, silent as ControlledModule);
  context.after(() => adapter.close());
  await assert.rejects(
    judged(adapter),
    fault(/^bytesToSign: the control URL sent JSON-RPC error -32601: .*must be/),
  );
});

test("without a control URL nobody can be asked", async (context) => {
  const server = await serveHttp(await headed.createService({ now: () => 0 }), { port: 0 });
  context.after(() => server.close());
  const adapter = httpAdapter({ url: server.url, facts: FACTS });
  context.after(() => adapter.close());
  await assert.rejects(adapter.connect(SERVED), fault(/without a control URL nobody can be asked/));
});

for (const [what, bytesToSign, told] of [
  ["throws", () => assert.fail("no\nkey"), /^bytesToSign threw: .*no key/],
  ["gives a text", () => "bytes", /^bytesToSign gave "bytes", not a Uint8Array$/],
] as const) {
  test(`a module whose bytesToSign ${what} ends the run at its start`, async () => {
    const adapter = inProcessAdapter({ ...headed, bytesToSign }, { name: "odd" });
    await assert.rejects(judged(adapter), fault(told));
  });
}

for (const result of [null, {}, { base64: 5 }, { base64: "no base64!" }, { base64: "AA" }, "AAAA"]) {
  test(`${JSON.stringify(result)} holds no bytes`, () => {
    assert.throws(
      () => toldBytes(result),
      fault(/^bytesToSign: expected {"base64": …} in standard base64, got /),
    );
  });
}

test("bytes are told in standard base64", () => {
  assert.deepEqual([...toldBytes({ base64: "AP9/" })], [0, 255, 127]);
});
