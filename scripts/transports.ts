/**
 * Runs the kit over every transport and prints one table. Exits with 1 where a required rule failed, something broke,
 * or a difference is explained by no skip.
 *
 * Usage: transports.ts [--full] [GLOB…]: --full waits a minute and more on the real clock; globs choose vectors.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterFault, kitVersion, loadKitData, type Report, run } from "../conformance/index.ts";
import { table } from "../conformance/reports/table.ts";
import { type Column, compareTransports } from "./transports/comparison.ts";
import { TRANSPORTS, type Transport } from "./transports/implementations.ts";

const words = process.argv.slice(2);
const maxWaitMs = words.includes("--full") ? 90_000 : 3_000;
const only = words.filter((word) => word !== "--full");
const data = loadKitData();

async function reportOver({ open }: Transport): Promise<Report> {
  const { adapter, close } = await open();
  try {
    return await run({
      ...data,
      adapter,
      kitVersion: kitVersion(),
      seed: 1,
      only,
      runs: 0,
      bail: false,
      maxWaitMs,
      accepted: new Set(),
      time: { now: () => Date.now(), sleep: (ms) => sleep(ms) },
    });
  } finally {
    await close();
  }
}

const columns: Column[] = [];
const faults: string[] = [];
for (const transport of TRANSPORTS) {
  try {
    columns.push({ ...transport, report: await reportOver(transport) });
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    faults.push(`${transport.implementation}, ${transport.transport}: ${error.message}`);
  }
}
const { head, rows, problems } = compareTransports(columns);
process.stdout.write(`${table(head, rows)}\n`);
for (const problem of [...faults, ...problems]) process.stdout.write(`${problem}\n`);
process.exitCode = faults.length + problems.length > 0 ? 1 : 0;
