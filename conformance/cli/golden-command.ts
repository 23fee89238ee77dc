import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { loadModule } from "../adapters/load-module.ts";
import { DataError } from "../data/data-error.ts";
import { displayPath } from "../data/yaml-source.ts";
import { fileDrift } from "../golden/drift.ts";
import { goldenFiles, INDEX_FILE } from "../golden/golden-files.ts";
import { type GoldenFolder, readGolden, readIndex } from "../golden/read-golden.ts";
import { type GoldenSet, recordSet } from "../golden/record-set.ts";
import { type Replay, replayFixture } from "../golden/replay.ts";
import { PATHS } from "../paths.ts";
import type { RealTime } from "../play/clock.ts";
import { plainLine } from "../report/plain-text.ts";
import { loadKitData } from "./kit-data.ts";
import type { Output } from "./output.ts";
import { ADAPTER_OPTIONS, type AdapterOptions, selectAdapter } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

export interface GoldenCommandOptions extends AdapterOptions {
  /** Folder of the fixtures; the kit's own where the bundled reference answers. */
  readonly directory?: string;
  /** Compare instead of writing. */
  readonly check: boolean;
  /** File into which the fixtures of the folder are written as HAR 1.2. */
  readonly har?: string;
  /** List the choices that a replay showed. */
  readonly verbose: boolean;
}

/** What the edge of the program gives. */
export interface GoldenEdge {
  readonly output: Output;
  readonly time: RealTime;
}

/**
 * `golden`: writes the fixtures of an implementation, says what drifted (`--check`), or exports them (`--har`).
 * @returns 0; 1 where something drifted or an answer broke the contract; 4 where not everything could be replayed
 */
export async function goldenCommand(options: GoldenCommandOptions, edge: GoldenEdge): Promise<number> {
  const own = ADAPTER_OPTIONS.every((name) => options[name] === undefined);
  if (options.har !== undefined) return exportHar(options, own, edge);
  const folder = options.directory ?? (own || options.check ? PATHS.golden : undefined);
  if (folder === undefined)
    throw new UsageError("name the folder into which the fixtures of this implementation go");
  if (own) return options.check ? checkOwn(folder, edge) : writeFixtures(folder, await ownAdapter(), edge);
  const { adapter } = await selectAdapter(options, () => undefined);
  return options.check
    ? replay(folder, adapter, options.verbose, edge)
    : writeFixtures(folder, adapter, edge);
}

/** The bundled reference with foreseeable randomness. */
async function ownAdapter(): Promise<Adapter> {
  return inProcessAdapter(await loadModule(PATHS.goldenReference), { name: "launch-draft-reference" });
}

async function record(adapter: Adapter, time: RealTime): Promise<GoldenSet> {
  const { contract, schemas, suites } = loadKitData(PATHS.goldenFlows);
  try {
    return await recordSet({ contract, schemas, flows: suites.vectors, adapter, time });
  } finally {
    await adapter.close();
  }
}

async function writeFixtures(
  folder: string,
  adapter: Adapter,
  { output, time }: GoldenEdge,
): Promise<number> {
  const old = earlierFiles(folder);
  const set = await record(adapter, time);
  for (const { name, reason } of set.omitted) output.err(`${name}: left out: ${plainLine(reason, 300)}\n`);
  for (const { name, reason } of set.broken) output.err(`${name}: not written: ${plainLine(reason, 300)}\n`);
  if (set.fixtures.length === 0) return 1;
  const files = goldenFiles(set);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    for (const name of old.filter((file) => !files.has(file))) rmSync(join(folder, name), { force: true });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${displayPath(folder)}: the fixtures cannot be written (${why})`);
  }
  output.out(
    `${set.fixtures.length} fixtures of ${set.info.implementation.name} written to ${displayPath(folder)}\n`,
  );
  return set.broken.length === 0 ? 0 : 1;
}

/** The files of fixtures that are in the folder from an earlier time. Another kind of index is nobody's to overwrite. */
function earlierFiles(folder: string): readonly string[] {
  const names = namesIn(folder);
  return names.includes(INDEX_FILE) ? readIndex(folder).fixtures.map(({ file }) => file) : [];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new DataError(displayPath(folder), `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function checkOwn(folder: string, { output, time }: GoldenEdge): Promise<number> {
  const set = await record(await ownAdapter(), time);
  for (const { name, reason } of set.broken) output.err(`${name}: ${plainLine(reason, 300)}\n`);
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  if (names.length === 0) throw new DataError(displayPath(folder), "there are no fixtures");
  const found = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const drift = fileDrift(found, goldenFiles(set));
  for (const { file, line } of drift)
    output.out(`${join(displayPath(folder), plainLine(file, 100))}: ${line}\n`);
  const clean = drift.length === 0 && set.broken.length === 0;
  output.out(
    clean ? `${set.fixtures.length} fixtures are as they were\n` : `${drift.length} files drifted\n`,
  );
  return clean ? 0 : 1;
}

async function replay(
  folder: string,
  adapter: Adapter,
  verbose: boolean,
  { output, time }: GoldenEdge,
): Promise<number> {
  const golden = readGolden(folder);
  const replays = await replayAll(golden, adapter, time);
  const at = (name: string) => join(displayPath(folder), name);
  for (const file of golden.altered)
    output.out(`${at(file)}: its bytes are not those of the index (sha256)\n`);
  for (const { name, drift, left, choices } of replays) {
    if (drift !== undefined) output.out(`${at(name)}.json: ${drift}\n`);
    if (left !== undefined) output.out(`${at(name)}.json: not replayed: ${plainLine(left, 300)}\n`);
    for (const choice of verbose ? choices : []) output.out(`${at(name)}.json: ${plainLine(choice, 300)}\n`);
  }
  const drifted = replays.filter((one) => one.drift !== undefined).length + golden.altered.length;
  const left = replays.filter((one) => one.left !== undefined).length;
  const chosen = replays.flatMap(({ choices }) => choices).length;
  const matched = replays.filter((one) => one.drift === undefined && one.left === undefined).length;
  output.out(
    `${matched} of ${replays.length} fixtures match, ${drifted} drifted, ${left} not replayed; ${chosen} answers differ as they may\n`,
  );
  return drifted > 0 ? 1 : left > 0 ? 4 : 0;
}

/** Replays every fixture of a folder, each on a service of its own. */
async function replayAll(
  { index, fixtures }: GoldenFolder,
  adapter: Adapter,
  time: RealTime,
): Promise<readonly Replay[]> {
  try {
    const connection = await adapter.connect();
    const { implementation, capabilities } = connection.info;
    const same =
      implementation.name === index.implementation.name &&
      implementation.version === index.implementation.version &&
      capabilities.clock === index.clock;
    const replays: Replay[] = [];
    for (const fixture of fixtures) replays.push(await replayFixture(fixture, connection, same, time));
    await connection.close();
    return replays;
  } finally {
    await adapter.close();
  }
}

async function exportHar(
  options: GoldenCommandOptions,
  own: boolean,
  { output }: GoldenEdge,
): Promise<number> {
  const { har: file = "", directory = PATHS.golden, check } = options;
  if (check || !own)
    throw new UsageError(
      "--har exports a folder of fixtures: it goes with neither --check nor an implementation",
    );
  const { harText } = await import("../golden/har.ts");
  const golden = readGolden(directory);
  try {
    writeFileSync(file, harText(golden));
  } catch (error) {
    throw new UsageError(
      `--har ${file}: cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
  output.out(`${golden.fixtures.length} fixtures written to ${displayPath(file)}\n`);
  return 0;
}
