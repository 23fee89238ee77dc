/** Process that judges entries by ID, one at a time, and sends back their problems. */
import { errorText } from "../adapters/text.ts";
import { ClientJudge } from "./clients.ts";
import { readEntries } from "./entries.ts";
import { ServiceJudge } from "./judge.ts";
import type { Task } from "./pool.ts";

/** Whether to judge entries of the example client. */
const isOfClients = process.argv.includes("--clients");
const judge = isOfClients ? new ClientJudge() : new ServiceJudge();
const entries = readEntries(judge.contract, isOfClients);

process.on("message", async ({ id, seeds }: Task) => {
  try {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no entry ${id}`);
    process.send?.(await judge.judge(entry, seeds));
  } catch (error) {
    process.send?.([errorText(error)]);
  }
});
// A service may leave a rejected promise unhandled.
process.on("unhandledRejection", () => {});
