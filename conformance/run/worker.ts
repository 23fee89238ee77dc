/** The program of a thread that plays tests: each message names a test, or ends the thread. */
import { parentPort, workerData } from "node:worker_threads";
import { type Adapter, InternalError } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { MACHINE_CLOCK } from "../adapters/protocol.ts";
import { openProgram } from "../adapters/stdio.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import { newContext } from "../play/vector-run.ts";
import { PROPERTIES } from "../properties/index.ts";
import { loadKitVectors } from "../suite/load.ts";
import { Connections } from "./connections.ts";
import { playTest } from "./run.ts";
import type { WorkerAnswer, WorkerOrder, WorkerSetup, WorkerTarget } from "./workers.ts";

const { target, seed, runs }: WorkerSetup = workerData;
const contract = readServiceContract();
const tests = new Map([...loadKitVectors(contract), ...PROPERTIES].map((test) => [test.id, test]));

async function open(of: WorkerTarget): Promise<Adapter> {
  if ("reference" in of) return new InProcessAdapter(await import(of.reference), "the reference");
  const { module = "", command, ...options } = of;
  const shared = { ...options, contract: SERVED_CONTRACT, clock: MACHINE_CLOCK };
  return openProgram(command === undefined ? { ...shared, module } : { ...shared, command });
}

let measured: Exclude<WorkerOrder, string>;

/** Opened for the first test, so that a failure belongs to a test. */
let opened: Promise<ReturnType<typeof contextOf>> | undefined;

function contextOf(adapter: Adapter) {
  const connections = new Connections(adapter, 1);
  const context = newContext(contract, connections.adapter, String(seed));
  for (const [operation, measurement] of measured ?? [])
    context.lifetimes.measured.set(operation, measurement);
  return { adapter, connections, context };
}

async function play(id: string): Promise<WorkerAnswer> {
  const test = tests.get(id);
  if (test === undefined) return { id, error: `there is no test ${id}` };
  try {
    opened ??= open(target).then(contextOf);
    const { adapter, connections, context } = await opened;
    const { vector: _, ...result } = await playTest(test, context, { seed, runs, now: MACHINE_CLOCK.now });
    const { requests } = connections;
    return { id, result, requests, peaks: context.limits.peaks, lost: adapter.lost?.message };
  } catch (error) {
    return { id, error: InternalError.from(error).message };
  }
}

let last: Promise<unknown> = Promise.resolve();
parentPort?.on("message", (order: WorkerOrder) => {
  last = last.then(async () => {
    if (typeof order === "string") parentPort?.postMessage(await play(order));
    else if (order !== undefined) measured = order;
    else {
      await (await opened)?.adapter.close();
      parentPort?.close();
    }
  });
});
