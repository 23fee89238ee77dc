/**
 * The program that runs a user's client module. It speaks the client protocol on separate file descriptors,
 * and asks the kit to handle the module's calls and waits. Usage: `client-host.ts FILE`.
 */
import { basename } from "node:path";
import { serveKit } from "../../adapters/host.ts";
import { loadModule } from "../../adapters/load-module.ts";
import type { JsonObject } from "../../data/json.ts";
import type { ClientResponse } from "../service/response.ts";
import type { LaunchContext } from "./client-adapter.ts";
import { type ClientModule, toolsOf } from "./in-process.ts";

const [, , file = ""] = process.argv;
let module: ClientModule | undefined;
const ask = serveKit(resultOf);

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
function contextOf({ number, nowMs: startMs, endsAtMs }: JsonObject): LaunchContext {
  let nowMs = Number(startMs);
  let readAtMs = performance.now();
  let latestMs = nowMs;
  const setNow = ({ nowMs: newMs }: JsonObject) => {
    nowMs = Number(newMs);
    readAtMs = performance.now();
  };
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
      setNow(answer);
      markImmediate();
      return answer["response"] as ClientResponse | undefined;
    },
    async sleep(ms) {
      const isNoWait = isImmediate && ms <= 0;
      isImmediate = false;
      // Code that does not await this call continues before the clock advances.
      await new Promise((resolve) => setImmediate(resolve));
      setNow(await ask("sleep", { number, ms }));
      if (isNoWait) markImmediate();
    },
    now() {
      latestMs = Math.max(latestMs, nowMs + performance.now() - readAtMs);
      return latestMs;
    },
    endsAtMs: Number(endsAtMs),
    onLog: () => {},
    signal: new AbortController().signal,
  };
}
