import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { SEARCHES } from "../../contract/searches.ts";
import { jsonReport } from "../../reports/json.ts";
import { type Envelope, reference } from "../../testing/reference.ts";
import { runWith } from "../../testing/run-vectors.ts";
import { propertyId } from "../search/property-result.ts";
import { mergeReports } from "./merge-reports.ts";
import { makeReport, type Report } from "./report.ts";

const { contract, suites } = loadKitData();
const KIT = {
  version: "0.0.0",
  digest: suites.digest,
  order: [...suites.vectors.map(({ id }) => id), ...SEARCHES.properties.map(propertyId)],
};
/** A share of the vectors that have failures of each kind in the services below, and properties of each make. */
const VECTORS = ["platform", "build-texts/{name,symbol}*"];
const ALL = [...VECTORS, "property/{texts,races}"];
const RUNS = 8;

/** How many parts share a run, and whether as threads do: vectors as they come, and of the searches a kind each. */
const PARTS = [...[1, 2, 7].map((of) => ({ of, asThreads: false })), { of: 3, asThreads: true }];

type Call = Parameters<Service["handle"]>[0];

/**
 * The reference with answers spoilt, and with the same ids and bearers in every service instance, so that what it shows
 * can be compared.
 */
function steady(spoil: (answer: Envelope, call: Call) => unknown = () => undefined): ServiceModule {
  return {
    facts: reference.facts,
    implementation: { name: "steady", version: "1" },
    async createService(options) {
      let drawn = 0;
      const random = (bytes: number) =>
        new Uint8Array(createHash("sha512").update(String(drawn++)).digest().subarray(0, bytes));
      const service = await reference.createService({ ...options, random } as typeof options);
      return {
        handle(call) {
          const answer = structuredClone(service.handle(call)) as Envelope;
          return spoil(answer, call) ?? answer;
        },
      };
    },
  };
}

const nameOf = ({ body }: Call) => /"name":"([^"]*)"/.exec(String(body))?.[1] ?? "";

/** Services with what a merge could get wrong, each with the outcome of one run. */
const SERVICES: Readonly<Record<string, readonly [ServiceModule, Report["verdict"], only?: string[]]>> = {
  "the reference": [steady(), "undecided"],
  "a rule that many see broken and few are about": [
    steady((answer, { path }) => {
      if (path === "/v1/platform") answer.body.publicServer = true;
      if (answer.status === 400) answer.body.code = "NO_SUCH_CODE";
    }),
    "does-not-conform",
    VECTORS,
  ],
  "a rule that is broken where no vector is about it": [
    steady((answer, { path }) => {
      if (path === "/v1/launch/build" && answer.status === 200) answer.body.cost.basis = "TODAY";
    }),
    "does-not-conform",
    VECTORS,
  ],
  "what only random cases find": [
    steady((answer, call) => {
      if (answer.status === 200 && Buffer.byteLength(nameOf(call)) % 5 === 4)
        answer.body.cost.reserveLamports = 1;
    }),
    "does-not-conform",
  ],
  "an adapter that breaks now and then": [
    steady((_, call) => {
      if (Buffer.byteLength(nameOf(call)) % 5 === 4) throw new Error("out of luck");
    }),
    "undecided",
  ],
  "something else than the service": [steady(() => ({ status: 404, body: "Not Found" })), "does-not-conform"],
};

/** A report as its file has it, but for what the time of the run went on: each part measures the service anew. */
function told(report: Report): object {
  const { durationMs, time, ...rest } = JSON.parse(jsonReport(report)) as Report;
  assert.ok(durationMs === 0 && time !== undefined);
  return rest;
}

for (const [what, [service, verdict, only = ALL]] of Object.entries(SERVICES)) {
  test(`merged shards are the single run, result for result: ${what}`, async () => {
    const single = await runWith({ suites, only, runs: RUNS }, service);
    assert.equal(single.verdict, verdict);
    const property = single.results.find(({ id }) => id === "property/texts");
    if (what === "what only random cases find") assert.equal(property?.outcome, "failed");
    assert.equal(single.totals.error > 0, what === "an adapter that breaks now and then");
    for (const { of, asThreads } of PARTS) {
      const files: { file: string; report: Report }[] = [];
      let taken = 0;
      const sharing = asThreads ? { nextPlace: () => taken++ } : {};
      for (let index = of; index >= 1; index--) {
        const shard = { index, of, options: [] };
        const report = await runWith({ suites, only, runs: RUNS, shard, ...sharing }, service);
        files.push({ file: `${index}.json`, report: JSON.parse(jsonReport(report)) as Report });
      }
      const merged = makeReport(contract, mergeReports(files, KIT));
      assert.deepEqual(told(merged), told(single), `${of} ${asThreads ? "threads" : "shards"}`);
    }
  });
}
