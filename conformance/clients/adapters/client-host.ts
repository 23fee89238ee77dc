/**
 * The program that runs a user's client module. It speaks the client protocol on separate file descriptors,
 * and asks the kit to handle the module's calls and waits. Usage: `client-host.ts FILE`.
 */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { loadModule } from "../../adapters/load-module.ts";
import type { JsonObject } from "../../data/json.ts";
import { errorText } from "../../data/text.ts";
import type { ClientResponse } from "../service/response.ts";
import type { LaunchContext } from "./client-adapter.ts";
import { type ClientModule, toolsOf } from "./in-process.ts";

const [REQUESTS, ANSWERS] = [3, 4];
const [, , file = ""] = process.argv;
let module: ClientModule | undefined;

/** Callbacks for the requests to the kit that have no response yet, by ID. */
const pending = new Map<number, (result: JsonObject | undefined, error?: { message: string }) => void>();
let lastId = 0;

function ask(method: string, params: object): Promise<JsonObject> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, (result, error) => (result ? resolve(result) : reject(new Error(error?.message))));
    write({ jsonrpc: "2.0", id, method, params });
  });
}

/** Returns the result of a request from the kit. */
async function resultOf(method: string, params: JsonObject): Promise<unknown> {
  if (method === "initialize") {
    module = await loadModule<ClientModule>(file, "launch");
    if (typeof module.launch !== "function") {
      const names = Object.keys(module).join(", ") || "nothing";
      throw new Error(`${basename(file)} must export a function launch; it exports ${names}`);
    }
    const { client, facts } = module;
    return { protocol: 1, client, facts };
  }
  if (method === "launch") return module?.launch(params["task"], toolsOf(contextOf(params)));
  return {};
}

/** Returns the context of a launch. The context passes requests and waits to the kit. */
function contextOf({ number, nowMs: startMs }: JsonObject): LaunchContext {
  let nowMs = Number(startMs);
  /** True from a response until the event loop runs timers. */
  let isImmediate = false;
  let timer: NodeJS.Timeout | undefined;
  const markImmediate = () => {
    isImmediate = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isImmediate = false;
    }, 1);
  };
  return {
    async handle({ bytes, ...request }) {
      const params = { number, ...request, bodyBase64: bytes.toString("base64"), isImmediate };
      const answer = await ask("handle", params);
      nowMs = Number(answer["nowMs"]);
      markImmediate();
      return answer["response"] as ClientResponse | undefined;
    },
    async sleep(ms) {
      const isNoWait = isImmediate && ms <= 0;
      isImmediate = false;
      // Code that does not await this call continues before the clock advances.
      await new Promise((resolve) => setImmediate(resolve));
      nowMs = Number((await ask("sleep", { number, ms }))["nowMs"]);
      if (isNoWait) markImmediate();
    },
    now: () => nowMs,
    signal: new AbortController().signal,
  };
}

async function receive(line: string): Promise<void> {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    pending.get(id)?.(result, error);
    pending.delete(id);
    return;
  }
  const outcome = await resultOf(method, params).then(
    (value) => ({ result: value ?? null }),
    (thrown: unknown) => ({ error: { message: errorText(thrown) } }),
  );
  write({ jsonrpc: "2.0", id, ...outcome });
  if (method === "shutdown") process.exit(0);
}

function write(message: object): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
}

const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
// When the kit has ended, this program exits, even if the module still waits.
requests.on("close", () => process.exit());
createInterface({ input: requests }).on("line", (line) => void receive(line));
