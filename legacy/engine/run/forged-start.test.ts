/** Whatever a service answers is judged, however early, and whatever it was asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { reference } from "../../testing/reference.ts";
import { runWith } from "../../testing/run-vectors.ts";
import type { RealTime } from "../play/real-time.ts";
import { Activity } from "./activity.ts";

const { suites } = loadKitData();
const STILL: RealTime = { now: () => 0, sleep: async () => {} };
const PROFILE = ["platform/constants"];
/** Vectors that need what both probes measure, where the service does not state how much it holds. */
const MEASURED = [...PROFILE, "draft/says-what-it-is", "capacity/challenges"];

/** Answers in place of the right one. */
const FORGED: Readonly<Record<string, unknown>> = {
  "that it is approved": { status: 200, body: { productionApproved: true, code: "INVALID_FIELDS" } },
  "with nothing": {},
  "with an error that says it is approved": {
    status: 400,
    body: { code: "INVALID_FIELDS", productionApproved: true },
  },
};

/** How many answers are forged: a sample, or with EVERY_START=1 each number up to 200. */
const FIRST =
  process.env["EVERY_START"] === undefined
    ? [1, 2, 3, 5, 8, 13, 34, 89, 200]
    : Array.from({ length: 200 }, (_, place) => place + 1);
/** So many entries each store of the service holds: more than is measured, and soon filled. */
const ROOM = 30;

/** The reference, of which some answers are forged. */
function forging(isForged: () => boolean, forged: unknown): ServiceModule {
  const { capacity: _, ...facts } = reference.facts as { readonly capacity: object };
  return {
    ...reference,
    facts,
    createService: async (options) => {
      const capacity = { challenges: ROOM, sessions: ROOM, drafts: ROOM };
      const { handle } = await reference.createService({ ...options, capacity } as typeof options);
      return { handle: (call) => (isForged() ? forged : handle(call)) };
    },
  };
}

/** What a run says of such a service. @param isForged told for what each request is sent, and how many were before */
async function judged(
  only: readonly string[],
  isForged: (id: string, before: number, ids: readonly string[]) => boolean,
  forged: unknown,
) {
  const ids: string[] = [];
  let [id, sent] = ["", 0];
  class Listening extends Activity {
    override call<Value>(...given: Parameters<Activity["call"]>): Promise<Value> {
      if (given[2] !== undefined) ids.push(given[1].id);
      id = given[1].id;
      return super.call(...given) as Promise<Value>;
    }
  }
  const service = forging(() => isForged(id, sent++, ids), forged);
  const report = await runWith({ suites, only, time: STILL, activity: new Listening(STILL) }, service);
  return { report, ids };
}

test("an honest service is measured, and nothing is found", async () => {
  const { report, ids } = await judged(MEASURED, () => false, {});
  assert.equal(report.exitStatus, 0);
  assert.ok(report.results.every(({ kind }) => kind === "vector"));
  for (const probe of ["probe/identity", "probe/clock", "probe/capacity"])
    assert.ok(ids.includes(probe), probe);
});

test("a vector that depends on no measure is asked for little more than its own requests", async () => {
  const { report, ids } = await judged(PROFILE, () => false, {});
  assert.equal(report.totals.passed, report.results.length);
  assert.ok(
    ids.every((id) => id === "probe/identity" || id.startsWith("platform/constants/")),
    String(ids),
  );
  assert.ok(ids.length <= 10, `${ids.length} requests`);
});

for (const [how, forged] of Object.entries(FORGED)) {
  test(`a service is caught that answers ${how} to its first requests alone`, async () => {
    for (const most of FIRST) {
      const { report } = await judged(MEASURED, (_, before) => before < most, forged);
      assert.deepEqual([report.verdict, report.exitStatus], ["does-not-conform", 1], `${most} answers`);
    }
  });

  for (const [when, isForged] of [
    ["before the first vector", (id) => id === "probe/identity"],
    ["while time is measured", (id) => id === "probe/clock"],
    ["while it is measured how much it holds", (id) => id === "probe/capacity"],
    ["in the play that its measuring interrupts", (id, _, ids) => !ids.includes("probe/clock") && id !== ""],
    [
      "to one request while time is measured",
      (id, _, ids) => ids.indexOf(id) === ids.length - 1 && id === "probe/clock",
    ],
  ] satisfies [string, Parameters<typeof judged>[1]][])
    test(`a service is caught that answers ${how} only ${when}`, async () => {
      const { report } = await judged(MEASURED, isForged, forged);
      assert.deepEqual([report.verdict, report.exitStatus], ["does-not-conform", 1]);
      assert.ok(report.results.some(({ failures }) => failures.length > 0));
    });
}
