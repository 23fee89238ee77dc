import { availableParallelism } from "node:os";
import { AdapterFault } from "../adapters/adapter.ts";
import type { ClientData } from "../contract/client/client-data.ts";
import type { ClientRunOptions } from "../engine/client/client-run.ts";
import { kitVersion } from "../paths.ts";
import type { Gates } from "../policies/gated-report.ts";
import { acceptedNames } from "./accepted-names.ts";
import type { Drawn, JudgeEdge } from "./judge-run.ts";
import { clientData, dataOfClients } from "./judged-data.ts";
import { reportBroken } from "./report-error.ts";
import {
  type JudgedSide,
  judgeCommand,
  type RunCommandOptions,
  type RunEdge,
  type SideRun,
} from "./run-command.ts";
import { type DoorOptions, doorWords, selectDoor } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

/** Options of `client`: what a run of services and one of clients both have means the same. */
export type ClientCommandOptions = RunCommandOptions & DoorOptions;

/** The options of a run, with nothing left to chance. */
type ClientOptions = Drawn<RunCommandOptions> & DoorOptions;

/** Begins the words by which the last run of a client is known, apart from those of services. */
const REMEMBERED_AS = "client";

/** `client`: judges a client and gives the exit status. */
export async function clientCommand(asked: ClientCommandOptions, edge: RunEdge): Promise<number> {
  try {
    return await judgeCommand(asked, edge, clientSide(asked));
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    return reportBroken(error, "client", edge.output);
  }
}

/** Clients that are reached so, as commands judge them. */
export function clientSide({ resident = false }: Pick<DoorOptions, "resident">): JudgedSide {
  return {
    judged: "client",
    words: (options) => [REMEMBERED_AS, ...doorWords({ ...options, resident })],
    data: clientData,
    judge: (options, judgeEdge) => judgeClient({ ...options, resident }, judgeEdge),
  };
}

async function judgeClient(options: ClientOptions, edge: JudgeEdge): Promise<SideRun> {
  const { shard, updateBaseline, updateChoices, replay } = options;
  if (shard !== undefined && (updateBaseline || updateChoices))
    throw new UsageError(
      `${updateBaseline ? "--update-baseline" : "--update-choices"} goes with merge, not with --shard`,
    );
  const { loadClientData, loadClientReplayData } = await import("../contract/client/client-data.ts");
  const read = replay === undefined ? loadClientData() : loadClientReplayData(replay);
  const data = dataOfClients(read);
  const accepted = acceptedNames(options.allowUntried, data.contract.rules);
  const nowMs = edge.time.now();
  const gates = await (await import("./gates.ts")).loadGates(options, data, nowMs);
  const words = doorWords(options);
  const { httpSites } = await import("../client-doors/http-sites.ts");
  const door = await selectDoor(options, availableParallelism(), edge.onSpawn);
  const sites = httpSites();
  try {
    const { clientRunOutcome } = await import("../engine/client/client-run.ts");
    const runOptions = { ...runOptionsOf(options, read, edge, gates, words), accepted, door, sites };
    const outcome = await edge.look(({ activity, interrupt, onResult }) =>
      clientRunOutcome({
        ...runOptions,
        ...(activity === undefined ? {} : { activity }),
        ...(interrupt === undefined ? {} : { interrupt }),
        ...(onResult === undefined ? {} : { onResult }),
      }),
    );
    const asked = { options: words, ...(replay === undefined ? {} : { replay }) };
    return { data, outcome, gates, asked, nowMs, words: [REMEMBERED_AS, ...words] };
  } finally {
    await door.close();
    await sites.close();
  }
}

function runOptionsOf(
  options: ClientOptions,
  { contract, suites }: ClientData,
  { time, stopped }: JudgeEdge,
  { baseline }: Gates,
  words: readonly string[],
): Omit<ClientRunOptions, "accepted" | "door" | "sites"> {
  const { seed, runs, only, bail, shard, replay, timeoutMs } = options;
  const known = new Set(baseline?.baseline.known.map(({ id }) => id));
  return {
    contract,
    suites,
    kitVersion: kitVersion(),
    seed,
    runs: replay === undefined ? runs : 0,
    only,
    bail,
    isKnown: (id) => known.has(id),
    chosenVectors: replay !== undefined,
    limitMs: timeoutMs,
    ...(shard === undefined ? {} : { shard: { ...shard, options: words } }),
    time,
    stopped,
  };
}
