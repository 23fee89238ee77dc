/** Process that judges entries by ID, one at a time, and sends back what it found. With `--clients`, clients. */
import { ClientEntryJudge } from "./clients.ts";
import { CLIENT_ENTRIES_FOLDER, DATA_FOLDER, readEntries } from "./entries.ts";
import { EntryJudge } from "./judge.ts";

const isOfClients = process.argv.includes("--clients");
const judge = isOfClients ? new ClientEntryJudge() : new EntryJudge(DATA_FOLDER);
const list = isOfClients ? readEntries(judge.contract, CLIENT_ENTRIES_FOLDER) : readEntries(judge.contract);
const entries = new Map(list.map((entry) => [entry.id, entry]));

process.on("message", async (id: string) => {
  const entry = entries.get(id);
  try {
    if (entry === undefined) throw new Error(`no entry ${id}`);
    process.send?.(await judge.judge(entry));
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error).replaceAll("\n", " ");
    process.send?.({ problems: [message], violatedRules: 0 });
  }
});
// A service may reject a promise that nobody awaits.
process.on("unhandledRejection", () => {});
process.send?.("ready");
