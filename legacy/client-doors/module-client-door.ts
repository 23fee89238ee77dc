import { fileURLToPath } from "node:url";
import { AdapterFault } from "../adapters/adapter.ts";
import { loadTimeoutOf } from "../adapters/module-process.ts";
import { startNodeProcess } from "../adapters/node-process.ts";
import { type End, once } from "../adapters/tracking-adapter.ts";
import type { ClientConnection, ClientDoor, TaskSite } from "../engine/client/client-door.ts";
import { calledRequest, envelopeOf } from "./called-request.ts";
import { initializeClient } from "./initialize-client.ts";
import { ANSWER, type Answer, type LaunchParams, QUESTION, type Question } from "./module-client-line.ts";
import { trackingDoor } from "./tracking-door.ts";

/** How a client's module is run in a process of its own. */
export interface ModuleClientOptions {
  /** The module's path. */
  readonly file: string;
  readonly jobs?: number;
  /** Real time that a task may take, in ms; loading may take longer. 0 is for ever. */
  readonly timeoutMs: number;
  /** Told the process id of each process as it starts, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
  /** How large the heap of a process may grow, in MiB. */
  readonly heapMb?: number;
}

/** The first file of the process. */
const ENTRY = new URL("./module-client-entry.mjs", import.meta.url);

/** A client as a module that exports `launch`, in a process of its own, on the kit's clock where it waits by it. */
export function moduleClientDoor(options: ModuleClientOptions): ClientDoor {
  const { jobs = 1 } = options;
  return trackingDoor({ transport: "client module", jobs, waitScale: 1 }, (track, contract) =>
    startModule(options, contract, track),
  );
}

async function startModule(
  { jobs: _, ...options }: ModuleClientOptions,
  contract: string,
  track: (end: End) => void,
): Promise<ClientConnection> {
  const sites = new Map<number, TaskSite>();
  const takes = (line: string): boolean => {
    if (!line.startsWith(QUESTION)) return false;
    void answerQuestion(line.slice(QUESTION.length));
    return true;
  };
  const answerQuestion = async (json: string) => {
    const question = parsed(json);
    const site = question === undefined ? undefined : sites.get(question.task);
    if (question === undefined) client.fail("the module's process sent a line that is none of the kit's");
    else send(`${ANSWER}${JSON.stringify(await answerTo(question, site))}`);
  };
  const entry = fileURLToPath(ENTRY);
  const { client, send, end } = startNodeProcess({ ...options, entry, takes }, track);
  let numbers = 0;
  try {
    const info = await initializeClient(client.call, contract, loadTimeoutOf(options.timeoutMs));
    return {
      info,
      async perform(task, site) {
        const params: LaunchParams = { number: ++numbers, task, nowMs: site.now() };
        sites.set(params.number, site);
        // What a module does with a task that is over cannot be ended but with all else that it does.
        const cut = once(async () => {
          client.fail("the task is over");
          await end();
        });
        site.signal.addEventListener("abort", cut, { once: true });
        try {
          return await client.call("launch", params, 0);
        } finally {
          site.signal.removeEventListener("abort", cut);
          sites.delete(params.number);
        }
      },
      close: end,
    };
  } catch (fault) {
    await end();
    throw fault;
  }
}

function parsed(json: string): Question | undefined {
  try {
    const question = JSON.parse(json) as Question;
    return Number.isInteger(question.ask) ? question : undefined;
  } catch {
    // A module can write such a line, too.
    return undefined;
  }
}

async function answerTo(
  { ask: asked, call, sleepMs }: Question,
  site: TaskSite | undefined,
): Promise<Answer> {
  if (site === undefined) return { asked, lost: "the task is over", nowMs: 0 };
  try {
    if (call === undefined) {
      await site.sleep(sleepMs);
      return { asked, nowMs: site.now() };
    }
    const answer = await site.ask(calledRequest(call));
    if (answer.kind === "answer" && answer.delayMs !== undefined) await site.sleep(answer.delayMs);
    const envelope = envelopeOf(answer);
    const nowMs = site.now();
    return envelope === undefined
      ? { asked, lost: "the connection was closed before an answer came", nowMs }
      : { asked, envelope, nowMs };
  } catch (thrown) {
    if (thrown instanceof AdapterFault) throw thrown;
    return { asked, lost: thrown instanceof Error ? thrown.message : String(thrown), nowMs: site.now() };
  }
}
