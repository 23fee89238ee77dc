import { AdapterFault } from "../adapters/adapter.ts";
import { type CarriedCall, calledRequest, envelopeOf } from "../client-doors/called-request.ts";
import type { ClientDoor, TaskSite } from "../engine/client/client-door.ts";

/** What the module of a client exports. */
export interface ClientModule {
  launch(task: unknown, surroundings: Surroundings): Promise<unknown>;
}

/** What a client is given of the world. */
interface Surroundings {
  readonly handle?: (call: CarriedCall) => Promise<unknown>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/**
 * A door to a client in this very thread: no time is lost on the way, and a client that never gives back the thread is
 * for others to end.
 * @param overHttp whether it is left to reach the service at its address
 */
export function clientInThread(module: ClientModule, overHttp: boolean): ClientDoor {
  return {
    transport: "client module",
    jobs: 1,
    waitScale: 1,
    connect: async () => ({
      info: { client: { name: "mutant", version: "" }, facts: {} },
      perform: (task, site) => perform(module, task, site, overHttp),
      close: async () => {},
    }),
    close: async () => {},
  };
}

async function perform(
  { launch }: ClientModule,
  task: Readonly<Record<string, unknown>>,
  site: TaskSite,
  overHttp: boolean,
): Promise<unknown> {
  const surroundings: Surroundings = {
    sleep: async (ms) => {
      // Whoever does not await a wait goes on before it has begun.
      // biome-ignore lint/style/noRestrictedGlobals: it is no time that is awaited, but what else is to be done at once
      await new Promise<void>((resolve) => setImmediate(resolve));
      return whileItLasts(site, () => site.sleep(Number.isFinite(ms) ? Math.max(0, ms) : 0));
    },
    now: site.now,
    ...(overHttp ? {} : { handle: (call) => whileItLasts(site, () => handle(call, site)) }),
  };
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new Error("the task is over"));
    site.signal.addEventListener("abort", end, { once: true });
  });
  try {
    const result = await Promise.race([launch(task, surroundings), over]);
    return JSON.parse(JSON.stringify(result ?? null));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AdapterFault(`launch threw: ${reason}`, { fatal: false });
  }
}

/** Settles only as long as the task is not over: a client that tries on and on would never give back the thread. */
async function whileItLasts<Value>({ signal }: TaskSite, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    if (signal.aborted) await new Promise(() => {});
  }
}

async function handle(call: CarriedCall, site: TaskSite): Promise<unknown> {
  const answer = await site.ask(calledRequest(call));
  if (answer.kind === "answer" && answer.delayMs !== undefined) await site.sleep(answer.delayMs);
  const envelope = envelopeOf(answer);
  if (envelope === undefined) throw new Error("the connection was closed before an answer came");
  return structuredClone(envelope);
}
