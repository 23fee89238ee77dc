/** Process that judges entries by ID, one at a time, and sends back what it found. Usage: `worker.ts MODE`. */

import { DATA_FOLDER, readEntries } from "./entries.ts";
import { EntryJudge } from "./judge.ts";

const judge = new EntryJudge(DATA_FOLDER);
const entries = new Map(readEntries(judge.contract).map((entry) => [entry.id, entry]));

process.on("message", async (id: string) => {
  const entry = entries.get(id);
  try {
    if (entry === undefined) throw new Error(`no entry ${id}`);
    const countsGroups = process.argv[2] === "groups" && entry.kind === "mutant";
    process.send?.(await (countsGroups ? judge.judgeGroups(entry) : judge.judge(entry)));
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error).replaceAll("\n", " ");
    process.send?.({ problems: [message], violatedRules: 0 });
  }
});
// A service may reject a promise that nobody awaits.
process.on("unhandledRejection", () => {});
process.send?.("ready");
