import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { KitData } from "../contract/kit-data.ts";
import { run } from "../engine/run/run.ts";
import { applyEdits } from "../mutants/edits.ts";
import { serviceFromSources } from "../mutants/module-from-sources.ts";
import { referenceProgram } from "../mutants/program.ts";
import type { PlacedEdit } from "../mutants/suite.ts";
import { signatureHoldsOf } from "./libraries.ts";
import { type PublishedCase, predictedChoices, type Verifier } from "./load-verifiers.ts";

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
interface Extent {
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

/** The reference's file that verifies signatures. */
const VERIFYING = "ed25519.ts";

/** What has to wait where a library verifies asynchronously. */
const WAITING: readonly (readonly [text: string, awaited: string])[] = [
  ["export function handle(argument", "export async function handle(argument"],
  ["body: operation(request, state, now)", "body: await operation(request, state, now)"],
  ["function verify({ body }", "async function verify({ body }"],
  ["checkProof(challenge, proof.signature);", "await checkProof(challenge, proof.signature);"],
  ["export function checkProof(", "export async function checkProof("],
  ["const holds = signatureHolds(", "const holds = await signatureHolds("],
];

/** The reference's service with its signatures verified by the library of that id. */
async function serviceOver(id: string): Promise<ServiceModule> {
  const edits = WAITING.map(([replace, text], index): PlacedEdit => {
    return { replace, with: text, place: { file: fileURLToPath(import.meta.url), line: index + 1 } };
  });
  const sources = new Map(applyEdits(referenceProgram(), edits));
  sources.set("libraries.ts", readFileSync(new URL("./libraries.ts", import.meta.url), "utf8"));
  sources.set(
    VERIFYING,
    `import { signatureHoldsOf } from "./libraries.ts";
     export const signatureHolds = await signatureHoldsOf(${JSON.stringify(id)});`,
  );
  return serviceFromSources(sources);
}

/** Asks the library of that id about each of the published cases: its row of the table. */
export async function rowOf(id: string, cases: readonly PublishedCase[]): Promise<readonly boolean[]> {
  const signatureHolds = await signatureHoldsOf(id);
  const row: boolean[] = [];
  for (const { signature, message, key } of cases) row.push(await signatureHolds(signature, message, key));
  return row;
}
