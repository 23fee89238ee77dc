import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AdapterFault } from "../adapters/adapter.ts";
import type { ClientDoor } from "../engine/client/client-door.ts";
import { isKilled } from "../testing/adapters/is-alive.ts";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { taskSite } from "../testing/clients/task-site.ts";
import { commandClientDoor } from "./command-client-door.ts";
import { moduleClientDoor } from "./module-client-door.ts";
import { residentClientDoor } from "./resident-client-door.ts";

const TASK = { task: "launch", id: "one" };
/** A line of JSON as a program writes it that Node is given on its command line. */
const WRITE = (json: string) => `process.stdout.write(JSON.stringify(${json}) + "\\n");`;

async function connected(context: TestContext, door: ClientDoor) {
  context.after(() => door.close());
  return door.connect("contract-1");
}

/** A door to a module with this body of `launch`. */
function moduleOf(context: TestContext, body: string): ClientDoor {
  const source = `export const client = { name: "mine", version: "1" };
    export const facts = { signedBytes: "hex" };
    export async function launch(task, { handle, sleep, now }) { ${body} }`;
  const file = moduleFile(context, "client.mjs", source);
  return moduleClientDoor({ file, timeoutMs: 5_000, heapMb: 64 });
}

/** A door to a program of Node that is given its task in \`task\`. */
function commandOf(context: TestContext, body: string, onSpawn?: (pid: number) => void): ClientDoor {
  const source = `let text = ""; for await (const chunk of process.stdin) text += chunk;
    const task = JSON.parse(text); ${body}`;
  const file = moduleFile(context, "client.mjs", source);
  const command = `exec "${process.execPath}" "${file}"`;
  return commandClientDoor({ command, jobs: 1, ...(onSpawn === undefined ? {} : { onSpawn }) });
}

/** A door to a program of Node that answers each message with what this body returns. */
function residentOf(context: TestContext, body: string): ClientDoor {
  const source = `import { createInterface } from "node:readline";
    const answer = async ({ method, params }) => {
      if (method === "initialize") return { protocol: 1, client: { name: "stays", version: "1" } };
      if (method === "shutdown") return {};
      ${body}
    };
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, ...message } = JSON.parse(line);
      answer(message).then((result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n"));
    }`;
  const file = moduleFile(context, "client.mjs", source);
  const command = `exec "${process.execPath}" "${file}"`;
  return residentClientDoor({ command, jobs: 1, timeoutMs: 5_000, facts: { signedBytes: "hex" } });
}

test("a module calls the service, waits by the kit's clock, and takes tasks side by side", async (context) => {
  const door = moduleOf(
    context,
    `const began = now();
    const first = await handle({ method: "POST", path: "/a", body: new Uint8Array([255]), bearer: "b" });
    await sleep(250);
    const lost = await handle({ method: "GET", path: "/lost" }).catch((error) => error.message);
    return { id: task.id, first, lost, waited: now() - began };`,
  );
  const connection = await connected(context, door);
  assert.deepEqual(connection.info, {
    client: { name: "mine", version: "1" },
    facts: { signedBytes: "hex" },
  });
  const [one, two] = [taskSite(), taskSite()];
  const results = await Promise.all([
    connection.perform(TASK, one.site),
    connection.perform({ ...TASK, id: "two" }, two.site),
  ]);
  const result = {
    first: { status: 200, body: { asked: 1 } },
    lost: "the connection was closed before an answer came",
    waited: 250,
  };
  assert.deepEqual(results, [
    { id: "one", ...result },
    { id: "two", ...result },
  ]);
  assert.deepEqual([...(one.asked[0]?.body ?? [])], [255]);
  assert.deepEqual(two.slept, [250]);
});

for (const [what, body, message] of [
  ["throws", 'throw new Error("no\\nluck")', "launch threw: no luck"],
  [
    "calls nothing that is a call",
    "await handle(7)",
    "launch threw: handle takes an object with method and path, not 7",
  ],
  ["exits", "process.exit(3)", "the module's process ended with exit code 3"],
  [
    "throws outside of its task",
    'setImmediate(() => { throw new Error("late") }); await new Promise(() => {})',
    "the module threw outside of a call: late",
  ],
  ["gives far too much", 'return { draft: "x".repeat(9e6) }', "the result is larger than 8 MiB"],
  [
    "writes lines of its own to the kit",
    `const { writeSync } = await import("node:fs"); writeSync(4, "ask what\\n"); await new Promise(() => {})`,
    "the module's process sent a line that is none of the kit's",
  ],
] as const) {
  test(`a module that ${what} breaks with one line`, async (context) => {
    const connection = await connected(context, moduleOf(context, body));
    await assert.rejects(connection.perform(TASK, taskSite().site), { name: "AdapterFault", message });
  });
}

test("a module that loops without end is ended with its task, and one that is none is told of", async (context) => {
  const door = moduleOf(context, 'await handle({ method: "GET", path: "/" }); for (;;);');
  const connection = await connected(context, door);
  const { site, asked, end } = taskSite();
  const performing = connection.perform(TASK, {
    ...site,
    async ask(request) {
      setImmediate(end);
      return site.ask(request);
    },
  });
  await assert.rejects(performing, { message: "the task is over", fatal: true });
  assert.equal(asked.length, 1);
  const file = moduleFile(context, "other.mjs", "export const launched = 1;");
  await assert.rejects(connected(context, moduleClientDoor({ file, timeoutMs: 5_000 })), {
    message: `${file} exports no launch; it exports: launched`,
  });
});

test("a command is given its task, and its line is the result", async (context) => {
  const connection = await connected(context, commandOf(context, WRITE("{ given: task }")));
  assert.deepEqual(connection.info.client, { name: "client.mjs", version: "unstated" });
  assert.deepEqual(await connection.perform(TASK, taskSite().site), { given: TASK });
});

for (const [what, body, message] of [
  [
    "ends without a result",
    'console.error("Error: out of luck"); process.exit(7)',
    "the client exited with status 7 without a result: Error: out of luck",
  ],
  ["writes garbage", 'console.log("Listening")', 'the client wrote what is no JSON: "Listening"'],
  ["writes two lines", `${WRITE("1")} ${WRITE("2")}`, 'the client wrote more than its result: "2"'],
  [
    "writes without end",
    'const all = "x".repeat(1 << 20); const more = () => process.stdout.write(all, more); more();',
    "the client wrote a line of more than 8 MiB",
  ],
  [
    "writes no UTF-8",
    "process.stdout.write(Buffer.from([0xff, 0x0a]))",
    "the client wrote a line that is not UTF-8",
  ],
] as const) {
  test(`a command that ${what} breaks with one line`, async (context) => {
    const connection = await connected(context, commandOf(context, body));
    await assert.rejects(connection.perform(TASK, taskSite().site), (fault: AdapterFault) => {
      assert.deepEqual([fault.name, fault.message, fault.fatal], ["AdapterFault", message, false]);
      return true;
    });
  });
}

test("a command ends with its task, together with what it has started", async (context) => {
  const pids: number[] = [];
  const door = commandOf(
    context,
    `const { spawn } = await import("node:child_process"); spawn("sleep", ["60"], { stdio: "inherit" });
    ${WRITE("{ refused: {} }")} setInterval(() => {}, 1000);`,
    (pid) => pids.push(pid),
  );
  const connection = await connected(context, door);
  assert.deepEqual(await connection.perform(TASK, taskSite().site), { refused: {} });
  assert.ok(isKilled(Number(pids[0])));
  const { site, end } = taskSite();
  const hanging = commandOf(context, "setInterval(() => {}, 1000); console.error('there')", () =>
    setImmediate(end),
  );
  await assert.rejects((await connected(context, hanging)).perform(TASK, site), { name: "AdapterFault" });
});

test("a command that there is not is told of", async (context) => {
  const connection = await connected(context, commandClientDoor({ command: "no-such-program", jobs: 1 }));
  await assert.rejects(connection.perform(TASK, taskSite().site), {
    message: /^the client exited with status 127 without a result: .*not found/,
  });
});

test("a process that stays takes tasks side by side, and leaves when it is asked to", async (context) => {
  const door = residentOf(context, "return { method, ...params };");
  const connection = await connected(context, door);
  assert.deepEqual(connection.info, {
    client: { name: "stays", version: "1" },
    facts: { signedBytes: "hex" },
  });
  const results = await Promise.all([1, 2].map((id) => connection.perform({ id }, taskSite().site)));
  assert.deepEqual(results, [
    { method: "launch", id: 1 },
    { method: "launch", id: 2 },
  ]);
  await connection.close();
});

for (const [what, body, message] of [
  ["exits", "process.exit(3)", "the client exited with status 3"],
  ["babbles", 'console.log("hello"); return {}', 'the client sent what is no JSON: "hello"'],
] as const) {
  test(`a process that stays and ${what} breaks with one line`, async (context) => {
    const connection = await connected(context, residentOf(context, body));
    await assert.rejects(connection.perform(TASK, taskSite().site), { message, fatal: true });
  });
}

test("a process that stays and never ends its task is ended with it", async (context) => {
  const connection = await connected(context, residentOf(context, "for (;;);"));
  const { site, end } = taskSite();
  setImmediate(end);
  await assert.rejects(connection.perform(TASK, site), { message: "the task is over", fatal: true });
});
