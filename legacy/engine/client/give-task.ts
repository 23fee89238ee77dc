import { AdapterFault } from "../../adapters/adapter.ts";
import type { RealTime } from "../play/real-time.ts";
import type { ClientClock } from "./client-clock.ts";
import type { ClientConnection, TaskSite } from "./client-door.ts";
import type { StageRecord } from "./stage-record.ts";
import type { TaskEnd } from "./trace.ts";

/** What a client may wait in one task by a clock that need not be awaited: longer than any patience. */
const MOST_WAITED_MS = 24 * 3.6e6;

/** After a task was to end at once, its client gets this long to be ended. */
const GRACE_MS = 5_000;

/** What a task is given with. */
export interface Giving {
  readonly connection: ClientConnection;
  readonly record: StageRecord;
  readonly clock: ClientClock;
  readonly time: RealTime;
  /** Real time that a task may take, in ms. */
  readonly limitMs: number;
  /** Aborted when the run is to end at once. */
  readonly interrupt?: AbortSignal;
  /** Where the client's clock stood when the vector began, in ms since the Unix epoch. */
  readonly startMs: number;
}

/** How a task ended, and the fault that ended it, where one did. */
export interface GivenTask {
  readonly end: TaskEnd;
  /** Whether nothing more can be given to this connection. */
  readonly fatal: boolean;
}

/** Why a task is to end at once. */
type Cut = "overdue" | "flooded" | "interrupted";

/** Gives a client one task, and awaits how it ends it: in bounded time, whatever it does. */
export async function giveTask(
  id: string,
  task: Readonly<Record<string, unknown>>,
  { connection, record, clock, time, limitMs, interrupt, startMs }: Giving,
): Promise<GivenTask> {
  const cut = new AbortController();
  const timer = new AbortController();
  const cutOff = (why: Cut) => cut.abort(why);
  const interrupted = () => cutOff("interrupted");
  interrupt?.addEventListener("abort", interrupted, { once: true });
  const mostMovedMs = clock.movedMs + MOST_WAITED_MS;
  record.begin(id, () => cutOff("flooded"));
  if (limitMs > 0) {
    time.sleep(limitMs, { signal: timer.signal }).then(
      () => cutOff("overdue"),
      () => {},
    );
  }
  const site: TaskSite = {
    ask: (request) => (cut.signal.aborted ? Promise.reject(over()) : record.ask(request, id)),
    sleep: async (ms) => {
      if (cut.signal.aborted) throw over();
      if (clock.movedMs + ms > mostMovedMs) cutOff("overdue");
      else await clock.sleep(ms);
    },
    now: () => startMs + record.advancedMs + clock.movedMs,
    signal: cut.signal,
  };
  const isCut = new Promise<"cut">((resolve) => {
    cut.signal.addEventListener("abort", () => resolve("cut"), { once: true });
  });
  try {
    const performed = connection.perform(task, site).then(
      (result): GivenTask => ({ end: { kind: "result", result }, fatal: false }),
      (error: unknown): GivenTask => {
        if (!(error instanceof AdapterFault)) throw error;
        const { message: reason, log, fatal } = error;
        return { end: { kind: "broke", reason, ...(log === undefined ? {} : { log }) }, fatal };
      },
    );
    const first = await Promise.race([performed, isCut]);
    if (first !== "cut") return first;
    // The door ends the client; how it says so is of no matter.
    const grace = time.sleep(GRACE_MS, { signal: timer.signal }).catch(() => {});
    const ended = await Promise.race([performed, grace]);
    const why = cut.signal.reason as Cut;
    if (why !== "interrupted") return { end: { kind: why }, fatal: ended?.fatal ?? true };
    return { end: { kind: "broke", reason: String(interrupt?.reason) }, fatal: true };
  } finally {
    timer.abort();
    interrupt?.removeEventListener("abort", interrupted);
    record.end(id);
  }
}

function over(): Error {
  return new Error("the task is over");
}
