import { isUtf8 } from "node:buffer";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterFault } from "../adapters/adapter.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "../adapters/answer-limit.ts";
import { lastWords } from "../adapters/last-words.ts";
import { lineSplitter } from "../adapters/line-splitter.ts";
import { shown } from "../adapters/one-line.ts";
import { type ProcessGroup, spawnGroup } from "../adapters/process-group.ts";
import { TailLog } from "../adapters/tail-log.ts";
import { type End, once } from "../adapters/tracking-adapter.ts";
import type { ClientDoor, TaskSite } from "../engine/client/client-door.ts";
import { clientInfo } from "./client-info.ts";
import { RETRY_AFTER_SCALE } from "./retry-after-scale.ts";
import { trackingDoor } from "./tracking-door.ts";

/** How a command is run for each task. */
export interface CommandClientOptions {
  /** Command line, run by the shell. */
  readonly command: string;
  /** Folder that it runs in; the working directory unless told. */
  readonly folder?: string;
  /** How many processes may run side by side. */
  readonly jobs: number;
  /** What its user states of it. */
  readonly facts?: object;
  /** Told the process id of each process as it starts, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
}

/** After its result a process gets this long to leave by itself, in ms. */
const LEAVING_MS = 1_000;
/** A pipe may still hold output for this long after its process is known to be gone, in ms. */
const AFTERMATH_MS = 200;

/** A client as a command that is run once for each task: the task on its standard input, one line of result on its output. */
export function commandClientDoor(options: CommandClientOptions): ClientDoor {
  const { command, jobs, facts = {} } = options;
  const info = clientInfo({ client: { name: programIn(command) }, facts }, command, "facts");
  return trackingDoor({ transport: "client process", jobs, waitScale: RETRY_AFTER_SCALE }, async (track) => {
    const ends = new Set<End>();
    const close = async () => void (await Promise.all([...ends].map((end) => end())));
    track(close);
    return {
      info,
      async perform(task, { signal }) {
        const group = spawnGroup(command, undefined, options.folder);
        const end = endOf(group);
        ends.add(end);
        try {
          return await resultOf(group, task, { ...options, signal, end });
        } finally {
          await end();
          ends.delete(end);
        }
      },
      close,
    };
  });
}

/** What a command is called in reports: the file that it runs, where a word looks like one. */
function programIn(command: string): string {
  const words = command.trim().split(/[\s"']+/);
  const file = words.find((word) => /[\w-]\.[a-z]{1,6}$/i.test(word)) ?? words[0] ?? command;
  return file.replace(/^.*[\\/]/, "");
}

/** Ends all that a command has started. */
function endOf(group: ProcessGroup): End {
  const gone = new Promise<void>((resolve) => {
    group.child.once("close", () => resolve());
    group.child.once("error", () => resolve());
  });
  return once(async () => {
    group.signal("SIGKILL");
    await Promise.race([gone, sleep(LEAVING_MS, undefined, { ref: false })]);
    for (const pipe of group.child.stdio) pipe?.destroy();
  });
}

/** What one process answers to its task. */
function resultOf(
  { child }: ProcessGroup,
  task: Readonly<Record<string, unknown>>,
  { signal, onSpawn, end }: CommandClientOptions & Pick<TaskSite, "signal"> & { readonly end: End },
): Promise<unknown> {
  const log = new TailLog();
  return new Promise((resolve, reject) => {
    let line: Buffer | undefined;
    let exit: string | undefined;
    const fail = (message: string) => {
      const told = log.text();
      reject(new AdapterFault(message, { fatal: false, ...(told === "" ? {} : { log: told }) }));
    };
    const settle = () => {
      if (line === undefined)
        fail(`${exit ?? "the client closed its output"} without a result${lastWords(log.text())}`);
      else if (isUtf8(line)) readResult(line.toString(), resolve, fail);
      else fail("the client wrote a line that is not UTF-8");
    };
    const push = lineSplitter(
      MAX_ANSWER_BYTES,
      (next) => {
        if (line !== undefined) fail(`the client wrote more than its result: ${shown(next.toString())}`);
        line ??= Buffer.from(next);
        void sleep(LEAVING_MS, undefined, { ref: false }).then(settle);
      },
      () => fail(`the client wrote a line of more than ${MAX_ANSWER_SHOWN}`),
    );
    child.stdout.on("data", push);
    // A line at the end of the output may lack its end.
    child.stdout.on("end", () => push(Buffer.from("\n")));
    child.stderr.on("data", (chunk: Buffer) => log.append(chunk));
    for (const pipe of child.stdio) pipe?.on("error", () => {});
    child.once("error", (error) => fail(`the shell cannot be run: ${error.message}`));
    child.once("exit", (code, by) => {
      exit = by === null ? `the client exited with status ${code}` : `the client was ended by ${by}`;
      // What it has started may hold its output open.
      void sleep(AFTERMATH_MS, undefined, { ref: false }).then(settle);
    });
    child.once("close", settle);
    signal.addEventListener("abort", () => void end(), { once: true });
    if (child.pid !== undefined) onSpawn?.(child.pid);
    child.stdin.end(`${JSON.stringify(task)}\n`);
  });
}

function readResult(text: string, resolve: (result: unknown) => void, fail: (message: string) => void): void {
  try {
    resolve(JSON.parse(text));
  } catch {
    fail(`the client wrote what is no JSON: ${shown(text)}`);
  }
}
