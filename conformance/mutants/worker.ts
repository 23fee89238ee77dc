/** Process that judges entries by ID, one at a time, and sends back what it found. With `--clients`, clients. */
import { ClientEntryJudge } from "./clients.ts";
import { CLIENT_ENTRIES_FOLDER, combine, DATA_FOLDER, readEntries } from "./entries.ts";
import { EntryJudge } from "./judge.ts";
import type { Task } from "./pool.ts";

const isOfClients = process.argv.includes("--clients");
const judge = isOfClients ? new ClientEntryJudge() : new EntryJudge(DATA_FOLDER);
const list = isOfClients ? readEntries(judge.contract, CLIENT_ENTRIES_FOLDER) : readEntries(judge.contract);
const entries = new Map(list.map((entry) => [entry.id, entry]));

process.on("message", async ({ id, seeds, countsGroups }: Task) => {
  const [entry, other] = id.split(" + ").map((one) => entries.get(one));
  try {
    if (entry === undefined) throw new Error(`no entry ${id}`);
    const isPair = entry.kind === "variant" && other?.kind === "variant";
    const judged = isPair ? combine(entry, other) : entry;
    const isGrouped = countsGroups && entry.kind === "mutant" && judge instanceof EntryJudge;
    process.send?.(await (isGrouped ? judge.judgeGroups(entry) : judge.judge(judged, seeds)));
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error).replaceAll("\n", " ");
    process.send?.({ problems: [message], violatedRules: 0 });
  }
});
// A service may reject a promise that nobody awaits.
process.on("unhandledRejection", () => {});
process.send?.("ready");
