import assert from "node:assert/strict";
import { test } from "node:test";
import type { Capabilities, ImplementationInfo } from "../adapters/adapter.ts";
import { inProcessAdapter } from "../adapters/in-process.ts";
import type { Result } from "../engine/play/result.ts";
import { plan } from "../engine/run/plan.ts";
import { judgeRules, judgeRun } from "../engine/run/verdict.ts";
import { propertyId } from "../engine/search/property-result.ts";
import { unmetNeed } from "../engine/vectors/need.ts";
import { allSteps } from "../engine/vectors/needs.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { applyEdits } from "../mutants/edits.ts";
import { serviceFromSources } from "../mutants/module-from-sources.ts";
import { referenceProgram } from "../mutants/program.ts";
import { loadMutants } from "../mutants/suite.ts";
import { reference } from "../testing/reference.ts";
import { resultOf } from "../testing/results.ts";
import { runWith } from "../testing/run-vectors.ts";
import { loadKitData } from "./kit-data.ts";
import { SEARCHES } from "./searches.ts";

const { contract, suites } = loadKitData();
const { info } = await inProcessAdapter(reference, { name: "reference" }).connect();
const MAX_WAIT_MS = 90_000;
/** What an adapter that lacks one capability states, and the required rules that it leaves untried. */
const WITHOUT: Readonly<Record<string, readonly [Partial<Capabilities>, string]>> = {
  "capability:concurrency": [
    { concurrency: false },
    `PLATFORM-70 CHALLENGE-60 CHALLENGE-61 CHALLENGE-70 CHALLENGE-71 CHALLENGE-72 SESSION-60 SESSION-70
     IDEMPOTENCY-53 IDEMPOTENCY-70 IDEMPOTENCY-71 LIMIT-70 LIMIT-71`,
  ],
  "capability:restart": [
    { restart: false },
    `SERVICE-70 PLATFORM-20 CHALLENGE-27 CHALLENGE-28 SESSION-10 IDEMPOTENCY-23 LIMIT-72 LIMIT-14 LIMIT-15 LIMIT-16
     LIMIT-17 LIMIT-18`,
  ],
  "capability:rawBody": [
    { rawBody: false },
    `LAUNCH-41 LAUNCH-42 IDEMPOTENCY-6 IDEMPOTENCY-7 IDEMPOTENCY-8 ERROR-18 JSON-1 JSON-2 JSON-3 JSON-4 JSON-5 JSON-6
     JSON-7 JSON-8 JSON-9 JSON-10 JSON-11 JSON-70 JSON-71 LIMIT-1 LIMIT-2 LIMIT-3 LIMIT-4`,
  ],
  "capability:clock": [{ clock: "real" }, "SERVICE-71 SERVICE-72 SESSION-7 SESSION-8 LIMIT-30 LIMIT-32"],
};

function without(capability: string): ImplementationInfo {
  const [stated] = WITHOUT[capability] ?? assert.fail(capability);
  return { ...info, capabilities: { ...info.capabilities, ...stated } };
}

/** The results that a service would have of which nothing wrong is ever seen: all pass that can be tried. */
function unblemished(stated: ImplementationInfo): readonly Result[] {
  const vectors = plan(suites.vectors, stated, MAX_WAIT_MS).map(({ vector, skip }) =>
    resultOf(vector.id, vector.rules, skip === undefined ? {} : { outcome: "skipped", ...skip }),
  );
  const properties = [...SEARCHES.properties, SEARCHES.exhaustive].map((property) => {
    const lack = unmetNeed(property.needs, stated);
    return resultOf(propertyId(property), property.rules, lack && { outcome: "skipped", ...lack });
  });
  return [...vectors, ...properties];
}

function untriedWithout(capability: string): ReadonlySet<string> {
  const rules = judgeRules(contract, unblemished(without(capability)));
  return new Set(
    rules.filter(({ level, outcome }) => level === "required" && outcome === "untried").map(({ id }) => id),
  );
}

for (const [capability, [, rules]] of Object.entries(WITHOUT)) {
  test(`without ${capability}, what only it shows is untried: undecided, unless just that is accepted`, () => {
    assert.deepEqual([...untriedWithout(capability)], rules.split(/\s+/));
    const results = unblemished(without(capability));
    const judged = (...accepted: readonly string[]) => judgeRun(contract, results, new Set(accepted));
    const undecided = { verdict: "undecided", exitStatus: 4 };
    assert.deepEqual(judged(), undecided);
    const others = Object.keys(WITHOUT).filter((other) => other !== capability);
    assert.deepEqual(judged(...others), undecided);
    assert.deepEqual(judged(capability), { verdict: "conforms", exitStatus: 0 });
  });
}

test("a service that can do everything leaves nothing untried", () => {
  assert.deepEqual(judgeRun(contract, unblemished(info), new Set()), { verdict: "conforms", exitStatus: 0 });
});

test("without its operator key, whether a service refuses it is not observable, and said to be", () => {
  const { operatorKey: _, ...facts } = info.facts;
  const results = unblemished({ ...info, facts });
  assert.deepEqual(
    judgeRules(contract, results)
      .filter(({ outcome, results: naming }) => outcome === "unobservable" && naming.length > 0)
      .map(({ id }) => id),
    ["LAUNCH-13"],
  );
  assert.deepEqual(judgeRun(contract, results, new Set()), { verdict: "conforms", exitStatus: 0 });
});

/** What every answer is held to, so that vectors enough remain. */
const ANY_ANSWER = new Set([
  "ENDPOINT-5",
  "ENDPOINT-6",
  "ENDPOINT-7",
  "ERROR-1",
  "ERROR-2",
  "IDEMPOTENCY-41",
]);
/** At the very instant of an end either answer is right, and how long things live is measured to judge by it. */
const MEASURED = new Set([
  "challenge/at-sixty-seconds",
  "idempotency/instant",
  "lifetimes/challenge",
  "lifetimes/draft",
  "rate-limit/minute-instant",
  "rate-shape/shape",
]);

for (const capability of Object.keys(WITHOUT)) {
  test(`no vector is left out for want of ${capability} while all that it is about counts as kept`, () => {
    const untried = untriedWithout(capability);
    const planned = plan(suites.vectors, without(capability), MAX_WAIT_MS);
    const played = new Set(
      planned.flatMap(({ vector, skip }) => (skip === undefined ? [entryOf(vector)] : [])),
    );
    const silent = planned.filter(({ vector, skip }) => {
      const particular = vector.rules.filter(
        (id) => contract.rules.get(id)?.level === "required" && !ANY_ANSWER.has(id),
      );
      return (
        skip?.lacks?.includes(capability) &&
        particular.length > 0 &&
        !(capability === "capability:clock" && isBesides(vector, played)) &&
        !rulesOf(vector).some((id) => untried.has(id))
      );
    });
    assert.deepEqual(
      silent.map(({ vector }) => vector.id),
      [],
    );
  });
}

/**
 * Whether it is another's to show what this one waits for: a row that begins at another moment, or waits longer, shows what
 * its neighbours show, and a full store or another life is shown by what does not wait.
 */
function isBesides(vector: Vector, played: ReadonlySet<string>): boolean {
  const entry = entryOf(vector);
  return played.has(entry) || MEASURED.has(entry) || vector.needs.has("restart");
}

function entryOf({ id }: Vector): string {
  return id.split("/").slice(0, 2).join("/");
}

function rulesOf({ rules, steps }: Vector): readonly string[] {
  return [...rules, ...allSteps(steps).flatMap((step) => step.rules ?? [])];
}

test("a race behind an adapter without concurrency is undecided, and fails where it can be seen", async () => {
  const entry = loadMutants("services", contract).broken.find(
    ({ id }) => id === "challenge/used-up-after-the-check",
  );
  const service = await serviceFromSources(applyEdits(referenceProgram(), entry?.edits ?? []));
  const { capabilities } = without("capability:concurrency");
  const about = suites.vectors.filter(({ rules }) => /\bCHALLENGE-(22|71)\b/.test(rules.join(" ")));
  const vectors = { suites: { ...suites, vectors: about } };
  const { results, totals } = await runWith(vectors, { ...service, capabilities });
  assert.equal(totals.failed, 0);
  const others = unblemished({ ...info, capabilities }).filter(
    ({ id }) => !about.some((vector) => vector.id === id),
  );
  const judged = judgeRun(contract, [...results, ...others], new Set());
  assert.deepEqual(judged, { verdict: "undecided", exitStatus: 4 });
  const seen = await runWith(vectors, service);
  const failed = seen.rules.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
  assert.deepEqual([seen.verdict, failed], ["does-not-conform", ["CHALLENGE-71"]]);
});
