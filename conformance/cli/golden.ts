import { join } from "node:path";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readServiceContract } from "../contract/contract.ts";
import { shownPath } from "../data/data-file.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { escapeLines } from "../data/text.ts";
import { type Comparison, compareFixtures } from "../golden/compare.ts";
import { fixtureFiles, type Recording, writeFixtures } from "../golden/fixture.ts";
import { recordFlows } from "../golden/record.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, UsageError } from "./options.ts";
import { loadReference, openTarget } from "./target.ts";

/**
 * Records the fixtures of a service, or with `--check` compares a new recording with the fixtures of a
 * folder. Fixtures of the bundled reference must have the same values. Those of any other service may differ
 * as the contract allows.
 * @returns exit status: 0; 1 if a fixture drifted or a response violates a rule; 4 if nothing drifted, but
 *   not all flows could be played
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function goldenCommand({ operands, options }: Invocation, edge: Edge): Promise<number> {
  const { module, command, url, reference, check = false, verbose = false } = options;
  const isOwn = [module, command, url, reference].every((target) => target === undefined);
  const folder = operands[0] ?? (isOwn || check ? join(DATA_FOLDER, "golden") : undefined);
  if (folder === undefined)
    throw new UsageError("golden requires a folder for the fixtures of this service: golden <folder>");
  const contract = readServiceContract();
  // The secrets of this reference are the same in every run.
  const adapter = isOwn
    ? new InProcessAdapter(await loadReference("golden-service"), "launch-draft-reference")
    : await openTarget(options, edge);
  try {
    const recording = await recordFlows(contract, adapter, isOwn);
    if (!check) return write(folder, recording, edge);
    return printComparison(folder, compareFixtures(folder, recording, isOwn), verbose, edge);
  } finally {
    await adapter.close();
  }
}

function write(folder: string, recording: Recording, edge: Edge): number {
  const { info, fixtures, omitted, failed } = recording;
  const { name } = info.implementation;
  edge.writeError(
    escapeLines([
      ...omitted.map((flow) => `${flow.name}: left out: ${flow.reason}`),
      ...failed.map((flow) => `${flow.name}: not written: ${flow.reason}`),
      ...(fixtures.length === 0 ? [`no flow of ${name} could be recorded`] : []),
    ]),
  );
  if (fixtures.length === 0) return 1;
  writeFixtures(folder, fixtureFiles(recording));
  edge.write(escapeLines([`${fixtures.length} fixtures of ${name} written to ${shownPath(folder)}`]));
  return failed.length === 0 ? 0 : 1;
}

function printComparison(
  folder: string,
  files: readonly Comparison[],
  isVerbose: boolean,
  edge: Edge,
): number {
  const lines = files.flatMap(({ file, drift, skipped, allowed = [] }) => {
    const end = drift ?? (skipped === undefined ? [] : `not played: ${skipped}`);
    return [end, isVerbose ? allowed : []].flat().map((line) => `${shownPath(join(folder, file))}: ${line}`);
  });
  const drifted = files.filter(({ drift }) => drift !== undefined).length;
  const skipped = files.filter((one) => one.skipped !== undefined).length;
  const matching = `${files.length - drifted - skipped} of ${files.length} files match`;
  const allowed = files.flatMap((one) => one.allowed ?? []).length;
  const counts = `${matching}, ${drifted} drifted, ${skipped} not played`;
  edge.write(escapeLines([...lines, `${counts}; ${allowed} responses differ as the contract allows`]));
  return drifted > 0 ? 1 : skipped > 0 ? 4 : 0;
}
