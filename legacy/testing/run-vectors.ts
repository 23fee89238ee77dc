import type { TestContext } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { Result } from "../engine/play/result.ts";
import { type RunOptions, run } from "../engine/run/run.ts";
import { loadSuiteFiles, type Suites } from "../engine/vectors/load.ts";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { contract } from "./contract-data.ts";
import { reference } from "./reference.ts";
import { temporaryFile } from "./temporary-file.ts";

/** Vectors from the text of a suite file. */
export function suitesOf(context: TestContext, text: string): Suites {
  return loadSuiteFiles([temporaryFile(context, "suite.yaml", text)], PATHS.suiteSchema, contract);
}

/** A suite file with one vector of these steps, which start at column 7 of line 7. */
export function vectorText(steps: string, rules = "ENDPOINT-1", more = "clock: between-seconds"): string {
  const indented = steps.trim().replaceAll("\n", "\n      ");
  return `suite: sample
vectors:
  - id: vector
    title: the service does as it must
    rules: [${rules}]
    ${more}
    steps:
      ${indented}
`;
}

/** A run with everything that most tests do not care about filled in; no clock ticks. */
export async function runWith(
  options: Partial<RunOptions> & Pick<RunOptions, "suites">,
  service: ServiceModule = reference,
): Promise<GatedReport> {
  return run({
    contract,
    adapter: inProcessAdapter(service, { name: "service" }),
    kitVersion: "0.0.0",
    seed: 1,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 90_000,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
    ...options,
  });
}

/** The one result of a vector with these steps. */
export async function playSteps(
  context: TestContext,
  steps: string,
  service: ServiceModule = reference,
  rules?: string,
): Promise<Result> {
  const { results } = await runWith({ suites: suitesOf(context, vectorText(steps, rules)) }, service);
  const [result, ...others] = results.filter(({ kind }) => kind === "vector");
  if (result === undefined || others.length > 0) throw new Error("the text is not one vector");
  return result;
}
