import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { escapeLine } from "../adapters/text.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { shownPath } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import {
  type Fixture,
  fixtureFiles,
  type Recording,
  readFixtures,
  readFixtureTexts,
  writeFixtures,
} from "../golden/fixture.ts";
import { findDifferences, formatDifferences } from "../golden/matchers.ts";
import { loadFlows, recordFlows } from "../golden/record.ts";
import { replayFixtures } from "../golden/replay.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, UsageError } from "./options.ts";
import { hasTarget, loadReference, openTarget } from "./target.ts";

/**
 * Records fixtures, or checks them with `--check`: those of the bundled reference are recorded again and
 * compared byte by byte, and on any other service they are replayed.
 * @returns exit status: 0; 1 if a fixture drifted or a response violates a rule; 4 if nothing drifted, but
 *   not all fixtures could be replayed
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function goldenCommand(
  { operands: [given], options }: Invocation,
  edge: Edge,
  openAdapter = openTarget,
): Promise<number> {
  const isOwn = !hasTarget(options);
  const folder = given ?? (isOwn || options.check ? join(DATA_FOLDER, "golden") : undefined);
  if (folder === undefined)
    throw new UsageError("golden requires a folder for the fixtures of this service: golden <folder>");
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const adapter = isOwn ? await openDemoReference() : await openAdapter(options, edge);
  try {
    if (options.check && !isOwn)
      return await replay(folder, contract, adapter, options.verbose ?? false, edge);
    const recorded = options.check ? readFixtureTexts(folder) : undefined;
    const salt = String(edge.randomSeed());
    const flows = loadFlows(contract);
    const recording = await recordFlows({ contract, flows, adapter, isDeterministic: isOwn, salt });
    return recorded === undefined
      ? write(folder, recording, edge)
      : compare(folder, recorded, recording, edge);
  } finally {
    await adapter.close();
  }
}

/** Opens the bundled reference with secrets that are the same in every run. */
async function openDemoReference(): Promise<Adapter> {
  return new InProcessAdapter(await loadReference("golden-service"), "launch-draft-reference");
}

function write(folder: string, recording: Recording, edge: Edge): number {
  const { info, fixtures, omitted, violated } = recording;
  for (const { name, reason } of omitted) printError(`${name}: left out: ${reason}`, edge);
  for (const { name, reason } of violated) printError(`${name}: not written: ${reason}`, edge);
  const { name } = info.implementation;
  if (fixtures.length === 0) {
    printError(`no flow of ${name} could be recorded`, edge);
    return 1;
  }
  writeFixtures(folder, fixtureFiles(recording));
  print(`${fixtures.length} fixtures of ${name} written to ${shownPath(folder)}`, edge);
  return violated.length === 0 ? 0 : 1;
}

/** Compares the files of a folder with those that would be written now. */
function compare(
  folder: string,
  found: ReadonlyMap<string, string>,
  recording: Recording,
  edge: Edge,
): number {
  const made = fixtureFiles(recording);
  const names = [...new Set([...made.keys(), ...found.keys()])].sort();
  const drifted = names.filter((name) => found.get(name) !== made.get(name));
  for (const name of drifted)
    print(`${shownPath(join(folder, name))}: ${describeDrift(found.get(name), made.get(name))}`, edge);
  for (const { name, reason } of recording.violated) printError(`${name}: ${reason}`, edge);
  const isClean = drifted.length === 0 && recording.violated.length === 0;
  const { length } = recording.fixtures;
  print(isClean ? `${length} fixtures have not changed` : `${drifted.length} files have changed`, edge);
  return isClean ? 0 : 1;
}

function describeDrift(found: string | undefined, made: string | undefined): string {
  if (made === undefined) return "no flow makes it; delete it";
  if (found === undefined) return "is missing";
  try {
    const [was, is]: readonly [Fixture, Fixture] = [JSON.parse(found), JSON.parse(made)];
    return formatDifferences(findDifferences(was, is));
  } catch {
    return "is not JSON";
  }
}

async function replay(
  folder: string,
  contract: Contract,
  adapter: Adapter,
  isVerbose: boolean,
  edge: Edge,
): Promise<number> {
  const replays = await replayFixtures(readFixtures(folder), contract, adapter);
  for (const { name, drift, skipped, allowed } of replays) {
    const end = drift ?? (skipped === undefined ? undefined : `not replayed: ${skipped}`);
    for (const line of [...(end === undefined ? [] : [end]), ...(isVerbose ? allowed : [])])
      print(`${shownPath(join(folder, `${name}.json`))}: ${line}`, edge);
  }
  const drifted = replays.filter(({ drift }) => drift !== undefined).length;
  const skipped = replays.filter((one) => one.drift === undefined && one.skipped !== undefined).length;
  const allowed = replays.flatMap((one) => one.allowed).length;
  const matching = replays.length - drifted - skipped;
  const total = replays.length;
  const counts = `${matching} of ${total} fixtures match, ${drifted} drifted, ${skipped} not replayed`;
  print(`${counts}; ${allowed} responses differ as the contract allows`, edge);
  if (drifted > 0) return 1;
  return skipped > 0 ? 4 : 0;
}

function print(line: string, edge: Edge): void {
  edge.write(`${escapeLine(line)}\n`);
}

function printError(line: string, edge: Edge): void {
  edge.writeError(`${escapeLine(line)}\n`);
}
