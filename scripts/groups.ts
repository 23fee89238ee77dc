/**
 * Measures how failures are grouped: draws services with 2, 3, 5, and 8 mutants at once, plays all tests on them,
 * and counts the faults without a group that names one of their rules, and the groups that no fault explains.
 * Usage: groups.ts [--services N] [--seed N] (default: 12 services, seed 1).
 */
import { hash } from "node:crypto";
import { parseArgs } from "node:util";
import { readServiceContract } from "../conformance/contract/contract.ts";
import { combineMutants, type Mutant, readEntries } from "../conformance/mutants/entries.ts";
import { openService } from "../conformance/mutants/judge.ts";
import { PROPERTIES } from "../conformance/properties/index.ts";
import { toData } from "../conformance/report/data.ts";
import { shownRules } from "../conformance/report/failure.ts";
import { groupFailures } from "../conformance/report/groups.ts";
import { run } from "../conformance/run/run.ts";
import { loadKitVectors } from "../conformance/suite/load.ts";

const SIZES = [2, 3, 5, 8];
/** Approximate number of random cases of each property. */
const RUNS = 5;

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { services: text, seed: text } });
const contract = readServiceContract();
const tests = [...loadKitVectors(contract), ...PROPERTIES];
const mutants = readEntries(contract).filter(
  (entry) => entry.kind === "mutant" && entry.property === undefined,
) as Mutant[];

/** Returns mutants whose edits can be combined. The same seed always gives the same mutants. */
function draw(count: number, seed: string): readonly Mutant[] {
  const rank = ({ id }: Mutant) => hash("sha256", `${seed} ${id}`);
  const drawn: Mutant[] = [];
  for (const mutant of mutants.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)))
    if (drawn.length < count && combineMutants([...drawn, mutant]) !== undefined) drawn.push(mutant);
  return drawn;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
// A mutant may leave a rejected promise unhandled.
process.on("unhandledRejection", () => {});

let [faults, lost, surplus] = [0, 0, 0];
const services = Number(values.services ?? 12);
for (let index = 0; index < services; index++) {
  const drawn = draw(SIZES[index % SIZES.length] ?? 2, `${values.seed ?? 1} ${index}`);
  const entry = combineMutants(drawn);
  if (entry === undefined) continue;
  const data = toData(await run(contract, tests, await openService(entry), { runs: RUNS }), {
    kit: "0.0.0",
    contract,
  });
  const groups = groupFailures(data);
  const named = new Set(groups.flatMap((group) => shownRules(group)));
  const seen = new Set(data.results.flatMap(({ findings = [] }) => findings.flatMap(({ rules }) => rules)));
  // A fault can hide others, which are then found after it is fixed.
  const visible = drawn.filter(({ breaks }) => breaks.some((rule) => seen.has(rule)));
  const missed = visible.filter(({ breaks }) => !breaks.some((rule) => named.has(rule)));
  const isTooMany = groups.length > drawn.length + 1;
  [faults, lost, surplus] = [faults + visible.length, lost + missed.length, surplus + Number(isTooMany)];
  const problems = [
    ...missed.map(({ id }) => `no group names ${id}`),
    ...(isTooMany ? [`${groups.length} groups`] : []),
  ];
  print(`${entry.id}: ${problems.join(", ") || "as expected"}`);
}
print(`${faults - lost} of ${faults} faults have a group that names their rule`);
print(`${services - surplus} of ${services} services have at most one group more than faults`);
