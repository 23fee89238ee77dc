/**
 * Sends the reference requests of all kinds and prints a line of JSON, its resident memory in bytes after some and after
 * all: soak.ts SOME ALL (with --expose-gc).
 */
import { createService } from "../../../reference/service.ts";
import { type Answer, Client } from "../client.ts";
import { oneVisit } from "../mixed-load.ts";

const [some = 0, all = 0] = process.argv.slice(2).map(Number);
/** Visits are so far apart that sessions and drafts come and go. */
const BETWEEN_MS = 61_000;
const CLIENTS = Array.from({ length: 500 }, () => new Client());

const clock = { nowMs: Date.UTC(2026, 9, 10, 12) };
const service = createService({ now: () => clock.nowMs });
const resident: number[] = [];
let asked = 0;
for (let visit = 0; asked < all; visit++) {
  const client = CLIENTS[visit % CLIENTS.length] ?? new Client();
  asked += await oneVisit(answered, client, visit);
  clock.nowMs += BETWEEN_MS;
  if (resident.length === 0 && asked >= some) resident.push(residentBytes());
}
process.stdout.write(`${JSON.stringify([...resident, residentBytes()])}\n`);

function answered(call: object, status: number): Answer {
  const answer = service.handle(call) as Answer;
  if (answer.status !== status)
    throw new Error(`answered ${answer.status}, not ${status}: ${JSON.stringify(call)}`);
  return answer;
}

function residentBytes(): number {
  if (global.gc === undefined) throw new Error("needs --expose-gc");
  global.gc();
  global.gc();
  return process.memoryUsage.rss();
}
