import { inProcessAdapter } from "../adapters/in-process.ts";
import type { KitData } from "../contract/kit-data.ts";
import { run } from "../engine/run/run.ts";
import { type PublishedCase, predictedChoices, type Verifier } from "./load-verifiers.ts";
import { serviceOver } from "./service-over.ts";

/** What the kit saw of a service over a verifier. */
export interface VerifierOutcome {
  readonly verifier: Verifier;
  /** What was seen on each point of the published cases. */
  readonly observed: ReadonlyMap<string, string>;
  /** How many results there are. */
  readonly results: number;
  /** One line for each thing that is not as it has to be: a failure, or a choice that was not predicted. */
  readonly complaints: readonly string[];
}

/** How much of the kit a verifier is judged by. */
export interface Extent {
  /** Globs over ids; none chooses all. */
  readonly only: readonly string[];
  /** Cases that each property tries. */
  readonly runs: number;
}

/** Judges the reference's service over a verifier, and holds what it accepts to what is published. */
export async function judgeVerifier(
  verifier: Verifier,
  cases: readonly PublishedCase[],
  { contract, suites }: KitData,
  { only, runs }: Extent,
): Promise<VerifierOutcome> {
  const service = await serviceOver(verifier.id);
  const report = await run({
    contract,
    suites,
    adapter: inProcessAdapter(service, { name: verifier.name }),
    kitVersion: "",
    seed: 1,
    only,
    bail: false,
    runs,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
  const predicted = predictedChoices(verifier, cases);
  const failures = report.results
    .filter(({ outcome }) => outcome === "failed" || outcome === "error")
    .map(({ id, outcome, reason }) => `${id}: ${reason ?? outcome}`);
  const verdict =
    only.length > 0 || report.verdict === "conforms" ? [] : [`the verdict is ${report.verdict}`];
  const otherwise = report.choices
    .filter(({ point, observed, reference }) =>
      predicted.has(point)
        ? observed !== predicted.get(point)
        : observed !== reference && observed !== "not seen",
    )
    .map(({ point, observed, reference }) => {
      return `${point}: ${observed} was seen, not ${predicted.get(point) ?? reference}`;
    });
  return {
    verifier,
    observed: new Map(
      report.choices
        .filter(({ point }) => predicted.has(point))
        .map(({ point, observed }) => [point, observed]),
    ),
    results: report.results.length,
    complaints: [...failures, ...verdict, ...otherwise],
  };
}
