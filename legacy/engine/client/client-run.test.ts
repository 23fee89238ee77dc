import assert from "node:assert/strict";
import { test } from "node:test";
import { AdapterFault } from "../../adapters/adapter.ts";
import { type Greeted, greeterDoor, quickTime } from "../../testing/greeter/greeter-door.ts";
import { runGreeter } from "../../testing/greeter/run-greeter.ts";

/** Asks until it is greeted, with a wait before each further time. */
const polite: Greeted = async (name, { ask, sleep }) => {
  for (let tries = 0; tries < 4; tries += 1) {
    const [status, body] = await ask(`/greet/${name}`).catch(() => [0, undefined]);
    if (status === 200) return body;
    await sleep(100);
  }
  return { refused: {} };
};

/** What the results were, by their ids. */
const outcomes = ({ results }: Awaited<ReturnType<typeof runGreeter>>) =>
  results.map(({ id, outcome }) => `${id} ${outcome}`);

test("a client that keeps all rules conforms, and its report is of a client", async () => {
  const report = await runGreeter(greeterDoor(polite));
  assert.equal(report.verdict, "conforms");
  assert.equal(report.exitStatus, 0);
  assert.equal(report.side, "client");
  assert.deepEqual(report.implementation, { name: "greeted", version: "1" });
  assert.deepEqual(report.choices, [
    { point: "AFTER-WAIT", observed: "asks-again", reference: "asks-again" },
  ]);
  assert.equal(report.time?.requests.asked, 12);
});

test("what a client breaks fails the vectors that are about it, with its request and its line", async () => {
  const hasty: Greeted = (name, tools) => polite(name, { ...tools, sleep: async () => {} });
  const report = await runGreeter(greeterDoor(hasty));
  assert.equal(report.exitStatus, 1);
  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome === "failed").map(({ id }) => id),
    ["greeter/told-to-wait/once", "greeter/told-to-wait/for-ever"],
  );
  const failed = report.results.find(({ id }) => id === "greeter/told-to-wait/once");
  const [failure] = failed?.failures ?? [];
  assert.equal(failure?.step, "1, request 2");
  assert.equal(failure?.rule, "GREET-3");
  assert.deepEqual(failure?.request, { method: "GET", path: "/greet/ann", headers: [] });
  assert.match(`${failure?.place.file}:${failure?.place.line}`, /greeter\.yaml:14$/);
  assert.deepEqual(
    failed?.trace.map(({ step }) => step),
    ["1, request 1", "1, request 2", "1"],
  );
});

test("a rule that no vector is about fails the first that saw it broken", async () => {
  const stray: Greeted = async (name, tools) => {
    if (name === "bob") await tools.ask("/elsewhere");
    return polite(name, tools);
  };
  const report = await runGreeter(greeterDoor(stray));
  assert.deepEqual(
    report.results.flatMap(({ id, failures }) => failures.map(({ rule, step }) => `${id} ${rule} ${step}`)),
    ["greeter/two GREET-4 1.2, request 1"],
  );
});

test("tasks of one step are given together, and each request is of the task that sent it", async () => {
  const order: string[] = [];
  const noting: Greeted = async (name, tools) => {
    order.push(`${name} begins`);
    const result = await polite(name, tools);
    order.push(`${name} ends`);
    return result;
  };
  await runGreeter(greeterDoor(noting), { only: ["greeter/two"] });
  assert.deepEqual(order, ["ann begins", "bob begins", "ann ends", "bob ends", "ann begins", "ann ends"]);
});

test("a client that breaks after a request fails; one that breaks before any is an error of it", async () => {
  const late: Greeted = async (name, tools) => {
    const greeting = await polite(name, tools);
    if (name === "bob") throw new Error("no bobs");
    return greeting;
  };
  const failed = await runGreeter(greeterDoor(late));
  assert.equal(failed.exitStatus, 1);
  assert.deepEqual(
    failed.results.flatMap(({ failures }) => failures.map(({ rule, got }) => `${rule} ${got}`)),
    ["GREET-2 broke"],
  );
  const early: Greeted = async (name, tools) => {
    if (name === "bob") throw new Error("no bobs");
    return polite(name, tools);
  };
  let opened = 0;
  const broken = await runGreeter(greeterDoor(early, 1, () => opened++));
  assert.equal(broken.exitStatus, 3);
  const [error] = broken.results.filter(({ outcome }) => outcome === "error");
  assert.equal(error?.reason, "threw: Error: no bobs");
  assert.equal(error?.breakage?.step, "1.2");
  assert.equal(opened, 1, "nothing is left to play on another connection");
});

test("a client that breaks in a later launch before any request of it fails", async () => {
  let anns = 0;
  const once: Greeted = async (name, tools) => {
    if (name === "ann" && ++anns > 1) throw new Error("greeted before");
    return polite(name, tools);
  };
  const report = await runGreeter(greeterDoor(once), { only: ["greeter/two"] });
  assert.equal(report.exitStatus, 1);
  assert.deepEqual(
    report.results.flatMap(({ failures }) => failures.map(({ rule, step, got }) => `${rule} ${step} ${got}`)),
    ["GREET-2 4 broke"],
  );
});

test("a client whose first task never works is told at once", async () => {
  const broken: Greeted = async () => {
    throw new AdapterFault("no such program", { fatal: true });
  };
  await assert.rejects(runGreeter(greeterDoor(broken)), {
    name: "AdapterFault",
    message: "greeter/plain: no such program",
  });
});

test("a task that is overdue is ended, and after a few the rest is left out", async () => {
  const time = quickTime();
  let waiting = 0;
  const endless: Greeted = async (name, { ask, signal }) => {
    await ask(`/greet/${name}`).catch(() => {});
    waiting += 1;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("ended")));
    });
  };
  const running = runGreeter(greeterDoor(endless), { time, limitMs: 2_000 });
  for (let passed = 0; passed < 12; passed += 1) await time.pass(1_000);
  const report = await running;
  assert.equal(waiting, 3);
  assert.deepEqual(outcomes(report), [
    "greeter/plain failed",
    "greeter/told-to-wait/once passed",
    "greeter/told-to-wait/for-ever passed",
    "greeter/lost skipped",
    "greeter/two skipped",
  ]);
  assert.equal(report.results[3]?.reason, "not run: in 3 vectors the client did not end its task in time");
});

test("a task that is overdue beside others is given once more, with twice the time", async () => {
  const time = quickTime();
  let given = 0;
  const busy: Greeted = async (name, tools) => {
    given += 1;
    if (given > 1) return polite(name, tools);
    await tools.ask(`/greet/${name}`);
    return new Promise((_, reject) => {
      tools.signal.addEventListener("abort", () => reject(new Error("ended")));
    });
  };
  const running = runGreeter(greeterDoor(busy, 2), { time, limitMs: 2_000, only: ["greeter/plain"] });
  for (let passed = 0; passed < 4; passed += 1) await time.pass(1_000);
  assert.deepEqual(outcomes(await running), ["greeter/plain passed"]);
  assert.equal(given, 2);
});

test("a task that floods is ended once it has sent more than any task is worth", async () => {
  let sent = 0;
  const flooding: Greeted = async (name, { ask }) => {
    for (;;) {
      await ask(`/greet/${name}`);
      sent += 1;
    }
  };
  const report = await runGreeter(greeterDoor(flooding), { only: ["greeter/plain"] });
  assert.equal(sent, 20);
  assert.deepEqual(
    report.results.flatMap(({ failures }) => failures.map(({ rule, got }) => `${rule} ${got}`)),
    ["GREET-2 flooded"],
  );
});

test("waits by the kit's clock without end are overdue, though no time passes", async () => {
  const waiting: Greeted = async (name, { ask, sleep }) => {
    await ask(`/greet/${name}`);
    for (;;) await sleep(3_600_000);
  };
  const report = await runGreeter(greeterDoor(waiting), { only: ["greeter/plain"] });
  assert.deepEqual(
    report.results.flatMap(({ failures }) => failures.map(({ got }) => got)),
    ["overdue"],
  );
});

test("vectors are shared by connections, shards and what was chosen; --bail leaves out the rest", async () => {
  let opened = 0;
  const whole = await runGreeter(greeterDoor(polite, 3, () => opened++));
  assert.equal(opened, 3);
  assert.equal(whole.totals.passed, 5);
  const shard = await runGreeter(greeterDoor(polite), { shard: { index: 2, of: 2, options: [] } });
  assert.deepEqual(outcomes(shard), ["greeter/told-to-wait/once passed", "greeter/lost passed"]);
  const chosen = await runGreeter(greeterDoor(polite), { only: ["greeter/told-to-wait"] });
  assert.equal(chosen.selection?.outcome, "passed");
  const bailed = await runGreeter(
    greeterDoor(async () => 7),
    { bail: true },
  );
  assert.deepEqual([bailed.totals.failed, bailed.totals.skipped], [1, 4]);
});

test("as many tasks as there are listen to what interrupts a run, and nothing warns of a leak", async (t) => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on("warning", warned);
  t.after(() => process.off("warning", warned));
  const { signal: interrupt } = new AbortController();
  for (let others = 0; others < 10; others += 1) interrupt.addEventListener("abort", () => others);
  await runGreeter(greeterDoor(polite), { interrupt });
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
});

test("a run that is stopped leaves out the rest, with the reason", async () => {
  let stopped: string | undefined;
  const stopping: Greeted = async (name, tools) => {
    stopped = "interrupted";
    return polite(name, tools);
  };
  const report = await runGreeter(greeterDoor(stopping), { stopped: () => stopped });
  assert.deepEqual([report.totals.passed, report.totals.skipped, report.stopped], [1, 4, true]);
});
