import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import bs58 from "bs58";
import * as reference from "../../reference/service.ts";
import { readClientContract } from "../contract/contract.ts";
import { DataError } from "../data/data-file.ts";
import { toData } from "../report/data.ts";
import { selectVectors } from "../run/plan.ts";
import type { Report } from "../run/run.ts";
import type { ClientAdapter } from "./adapters/client-adapter.ts";
import { type ClientModule, inProcessClient } from "./adapters/in-process.ts";
import { openClientModule, openTaskProgram } from "./adapters/programs.ts";
import { judge } from "./judge.ts";
import { loadTrials } from "./load.ts";
import { playTrial } from "./play-trial.ts";
import { type ClientRunOptions, runClient } from "./run.ts";
import type { ReferenceModule } from "./service/simulated-service.ts";
import { type Call, launch, type Task, type Tools } from "./testing/small-client.ts";
import type { Trial } from "./trial.ts";

const contract = readClientContract();
const trials = loadTrials(contract);

function run(adapter: ClientAdapter, options: Partial<ClientRunOptions> = {}): Promise<Report> {
  return runClient(contract, trials, adapter, { reference: reference as ReferenceModule, ...options });
}

function inProcess(perform: (task: Task, tools: Tools) => Promise<unknown>): ClientAdapter {
  return inProcessClient({ launch: perform } as ClientModule);
}

function rulesWith(outcome: string, { verdict }: Report): readonly string[] {
  return verdict.rules.filter((one) => one.outcome === outcome).map(({ rule }) => rule.id);
}

/** Returns the small client, with each call replaced by the result of `change`. */
function changing(change: (call: Call, task: Task) => object): ClientAdapter {
  return inProcess((task, { handle }) =>
    launch(task, { handle: (call) => handle(change(call, task) as Call) }),
  );
}

test("a client that gives up at every refusal conforms", async () => {
  const report = await run(inProcess(launch));
  assert.deepEqual(
    rulesWith("violated", report).filter((id) => !id.startsWith("CLIENT-TRUST")),
    [],
  );
  assert.deepEqual(rulesWith("not-tested", report), []);
  assert.equal(report.verdict.conclusion, "conforms");
  assert.equal(report.results.length, trials.length);
  const outcomes = new Set(report.results.map(({ outcome }) => outcome));
  assert.deepEqual(outcomes, new Set(["passed", "skipped"]));
});

/** Clients that create no draft, each with the exit status of its run. */
const USELESS: Readonly<Record<string, readonly [(task: Task, tools: Tools) => Promise<unknown>, number]>> = {
  "sends nothing": [async () => ({ refused: { reason: "not now" } }), 1],
  "crashes before any request": [() => Promise.reject(new Error("broken")), 3],
  "gives up after the profile": [
    async (_, { handle }) => {
      const { status } = await handle({ method: "GET", path: "/v1/platform" });
      return { refused: { status } };
    },
    1,
  ],
  "requests the profile forever": [
    async (_, { handle }) => {
      for (;;) await handle({ method: "GET", path: "/v1/platform" });
    },
    1,
  ],
};

for (const [name, [perform, exitStatus]] of Object.entries(USELESS))
  test(`a client that ${name} satisfies no rule`, async () => {
    const report = await run(inProcess(perform));
    assert.deepEqual(rulesWith("satisfied", report), []);
    assert.equal(report.verdict.exitStatus, exitStatus);
  });

test("the number of connections changes neither results nor their order", async () => {
  const client = () => changing((call) => (call.method === "POST" ? call : { ...call, body: "{}" }));
  const selection = { only: ["sign-in/**", "lost-answers/**"] };
  const reports = await Promise.all([1, 2, 8].map((jobs) => run(client(), { jobs, selection })));
  const [one, ...others] = reports.map((report) =>
    JSON.stringify(toData(report, { kit: "0", contract, side: "client" }).results),
  );
  assert.ok(one?.includes("CLIENT-PROFILE-2"));
  for (const other of others) assert.equal(other, one);
});

/** Encodings in which the kit finds a private key. Each function gets the 64 bytes of the key. */
const ENCODINGS: Readonly<Record<string, (key: Buffer) => string>> = {
  hexadecimal: (key) => key.toString("hex"),
  "hexadecimal of one half": (key) => key.subarray(0, 16).toString("hex"),
  base64: (key) => key.toString("base64"),
  base64url: (key) => key.toString("base64url"),
  base58: (key) => bs58.encode(key),
  "a part of base58": (key) => bs58.encode(key.subarray(0, 32)).slice(0, 32),
  "a JSON array": (key) => JSON.stringify([...key]),
  "hexadecimal with colons": (key) => (key.toString("hex").match(/../g) ?? []).join(":"),
  "decimal numbers with spaces": (key) => key.join(" "),
  "the expanded key": (key) => createHash("sha512").update(key.subarray(0, 32)).digest("base64"),
  "hexadecimal inside base64": (key) => Buffer.from(`key ${key.toString("hex")}`).toString("base64"),
  "base64 inside base64": (key) => Buffer.from(`key ${key.toString("base64")}`).toString("base64"),
};

for (const [name, encode] of Object.entries(ENCODINGS))
  test(`the kit finds a private key in this form, and does not show it: ${name}`, async () => {
    let written = "";
    const client = changing((call, task) => {
      written = encode(Buffer.from(task.creator.secretKeyBase64, "base64"));
      return { ...call, "x-trace": `id=${written}` };
    });
    const report = await run(client, { selection: { only: ["launches/first"] } });
    assert.deepEqual(rulesWith("violated", report), ["CLIENT-SECRET-1"]);
    assert.ok(
      !JSON.stringify(toData(report, { kit: "0", contract, side: "client" })).includes(written.slice(0, 24)),
    );
  });

test("a private key in a result is a recommendation that is not followed", async () => {
  const client = inProcess(async (task, tools) => {
    const result = await launch(task, tools);
    return { ...result, note: task.creator.secretKeyBase64 };
  });
  const report = await run(client, { selection: { only: ["launches/first"] } });
  assert.deepEqual(rulesWith("violated", report), ["CLIENT-SECRET-2"]);
});

test("a changed draft is reported by the paths of the changed values", async () => {
  const client = inProcess(async (task, tools) => {
    const { draft } = (await launch(task, tools)) as { draft: { readonly cost: object } };
    const { nextGate: _, ...rest } = draft as typeof draft & { readonly nextGate: string };
    return { draft: { ...rest, cost: { ...draft.cost, networkFeeLamports: "15000" }, note: 1 } };
  });
  const report = await run(client, { selection: { only: ["launches/first"] } });
  const finding = report.results[0]?.findings[0];
  assert.ok(finding?.difference.kind === "values");
  assert.deepEqual(finding.rules, ["CLIENT-FLOW-2"]);
  assert.deepEqual(
    finding.difference.values.map(({ path }) => path),
    ["draft.cost.networkFeeLamports", "draft.note", "draft.nextGate"],
  );
});

test("a report does not show a bearer in a path, and the rule about the bearer heads the failure", async () => {
  let sent = "";
  const client = changing(({ bearer, ...call }) => {
    sent = bearer ?? sent;
    return bearer === undefined ? call : { ...call, path: `${call.path}?bearer=${bearer}` };
  });
  const report = await run(client, { selection: { only: ["launches/first"] } });
  assert.deepEqual(report.results[0]?.findings[0]?.rules, ["CLIENT-SESSION-1"]);
  const data = toData(report, { kit: "0", contract, side: "client" });
  assert.ok(sent.length > 8 && !JSON.stringify(data).includes(sent));
});

test("a launch that reaches the time limit is played again", async () => {
  let count = 0;
  const client = inProcess((task, tools) => (count++ === 0 ? new Promise(() => {}) : launch(task, tools)));
  const report = await run(client, { timeoutMs: 1000, selection: { only: ["launches/first"] } });
  assert.deepEqual(
    report.results.map(({ outcome }) => outcome),
    ["passed"],
  );
});

test("a launch that never ends is not judged if the machine was too busy", async () => {
  const [trial] = selectVectors(trials, { only: ["launches/first"] }) as [Trial];
  const client = inProcess(async (_, { handle }) => {
    await handle({ method: "GET", path: "/v1/platform" });
    return new Promise(() => {});
  });
  const options = { reference: reference as ReferenceModule, seed: 1, timeoutMs: 50, startMs: 0 };
  const history = await playTrial(trial, client, 0, options);
  assert.equal(judge(trial, history, contract).outcome, "failed");
  const delayed = judge(trial, { ...history, isDelayed: true }, contract);
  assert.deepEqual([delayed.outcome, delayed.findings], ["skipped", []]);
});

test("a public key, a signature, and a hash are not private keys", async () => {
  const client = changing((call, { creator }) => ({ ...call, "x-trace": creator.address }));
  const report = await run(client, { selection: { only: ["launches/first"] } });
  assert.deepEqual(rulesWith("violated", report), []);
});

test("retries without a wait are detected with the clock of the trial", async () => {
  const retrying = (waitMs: number) =>
    inProcessClient({
      launch: (task, tools) => {
        const { handle, sleep } = tools as Tools & { readonly sleep: (ms: number) => Promise<void> };
        const persistent = async (call: Call) => {
          for (let tries = 1; ; tries++) {
            const answer = await handle(call);
            if (answer.status !== 429 || tries === 5) return answer;
            await sleep(waitMs);
          }
        };
        return launch(task as Task, { handle: persistent });
      },
    });
  const selection = { only: ["limits/full-for-ever/*"] };
  const isTooSoon = async (waitMs: number) =>
    rulesWith("violated", await run(retrying(waitMs), { selection })).includes("CLIENT-LIMIT-1");
  assert.equal(await isTooSoon(0), true);
  assert.equal(await isTooSoon(250), false);
});

test("a module without a launch function, and invalid facts, are refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  try {
    const file = join(folder, "client.mjs");
    writeFileSync(file, "export const lunch = 1;");
    await assert.rejects(openClientModule(file), /must export a function launch; it exports lunch/);
    assert.throws(
      () => openTaskProgram("true", [], { signedBytes: "utf16" }),
      /facts.signedBytes must be "utf8" or "hex"/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("faults of a suite are reported with their places", () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  const file = join(folder, "wrong.yaml");
  const lines = [
    "suite: wrong",
    "vectors:",
    "  - id: one",
    "    title: a launch that names what does not exist",
    "    rules: [CLIENT-FLOW-9]",
    "    cases:",
    "      first: { by: zoe, form: no-form, unused: 1 }",
    "    service:",
    "      - { on: challenge, spelling: $case.form, nth: 3.. }",
    "    steps:",
    "      - launch: { by: $case.by }",
    "      - launch: { again: $missing }",
  ];
  try {
    writeFileSync(file, `${lines.join("\n")}\n`);
    assert.throws(
      () => loadTrials(contract, [file]),
      (error) => {
        assert.ok(error instanceof DataError);
        const places = error.message
          .split("\n")
          .map((line) => line.slice(file.length).match(/^:(\d+):/)?.[1]);
        assert.deepEqual([...new Set(places)], ["5", "7", "9", "11", "12"]);
        return true;
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
