/** Process that judges entries by ID, one at a time, and sends back their problems. */
import { errorText } from "../data/text.ts";
import { readEntries } from "./entries.ts";
import { clientSubject, judgeEntry, serviceSubject } from "./judge.ts";
import type { Options } from "./main.ts";

const { isOfClients, seeds }: Options = JSON.parse(process.argv[2] ?? "");
const subject = isOfClients ? clientSubject() : serviceSubject();
const entries = readEntries(subject.contract, isOfClients);

process.on("message", async (id: string) => {
  try {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no entry ${id}`);
    process.send?.(await judgeEntry(subject, entry, isOfClients ? undefined : seeds));
  } catch (error) {
    process.send?.([errorText(error)]);
  }
});
// A service may leave a rejected promise unhandled.
process.on("unhandledRejection", () => {});
