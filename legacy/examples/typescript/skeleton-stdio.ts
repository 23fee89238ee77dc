/**
 * Skeleton of a stdio adapter for the conformance kit: JSON-RPC 2.0, one message a line, around the service of
 * `skeleton.ts`, or of the module with the same exports that its argument names. Run it with Node 22.18 or later, or
 * with tsx: `run --command "npx tsx skeleton-stdio.ts"`.
 */
import { Console } from "node:console";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as skeleton from "./skeleton.ts";
import type { Envelope, Request } from "./skeleton.ts";

interface Params extends Request {
  readonly bodyBase64?: string;
  readonly service?: string;
  readonly nowMs?: number;
  readonly ms?: number;
  readonly message?: string;
}

const [file] = process.argv.slice(2);
/** A module with the exports of the skeleton; `bytesToSign` where `facts.signedBytes` is `adapter`. */
type Exports = typeof skeleton & { readonly bytesToSign?: (message: string) => unknown };
const loading: Promise<Exports> =
  file === undefined ? import("./skeleton.ts") : import(pathToFileURL(resolve(file)).href);
/** A service, with a clock of its own. */
interface Instance {
  clockMs: number;
  readonly service: Awaited<ReturnType<typeof skeleton.createService>>;
}
/** How many live side by side, which is how the kit hides the time that requests take. */
const INSTANCES = 64;
const instances = new Map<string, Instance>();
let started = 0;

/** A message that is answered with an error, and the code of JSON-RPC for it. */
class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
const [PARSE_ERROR, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR] = [-32700, -32601, -32602, -32603];

function named({ service = "" }: Params): Instance {
  const instance = instances.get(service);
  if (instance !== undefined) return instance;
  throw new RpcError(INVALID_PARAMS, `no service ${JSON.stringify(service)}: start gives the name of one`);
}

/** Makes a service, or one in the place of another that is named. */
async function start({ createService }: Exports, params: Params): Promise<{ readonly service: string }> {
  const service = params.service ?? `service-${++started}`;
  if (params.service !== undefined) named(params);
  const clock = { clockMs: moment(params.nowMs) };
  const made = await createService({ now: () => clock.clockMs });
  instances.set(service, Object.assign(clock, { service: made }));
  return { service };
}

function handle(params: Params): Promise<Envelope> {
  const { method, path, body, bodyBase64, bearer, idempotencyKey } = params;
  const { service } = named(params);
  const exact = bodyBase64 === undefined ? body : Buffer.from(bodyBase64, "base64");
  return service.handle({ method, path, body: exact, bearer, idempotencyKey });
}

/** A reading of the clock, which ends before moments have no name. */
function moment(ms: number | undefined): number {
  if (typeof ms === "number" && ms >= 0 && ms <= Date.UTC(9999, 11, 31)) return ms;
  throw new RpcError(INVALID_PARAMS, "times are in milliseconds, and end with the year 9999");
}

async function answer(method: string, params: Params): Promise<unknown> {
  const module = await loading;
  const { implementation, capabilities, facts, bytesToSign } = module;
  switch (method) {
    case "initialize":
      return { protocol: 1, implementation, capabilities: { instances: INSTANCES, ...capabilities }, facts };
    case "start":
      return start(module, params);
    case "handle":
      return handle(params);
    case "advance": {
      const instance = named(params);
      instance.clockMs = moment(instance.clockMs + moment(params.ms));
      return { nowMs: instance.clockMs };
    }
    case "bytesToSign": {
      if (bytesToSign === undefined) throw new Error("the module exports no bytesToSign(message)");
      const bytes = (await bytesToSign(params.message ?? "")) as Uint8Array;
      return { base64: Buffer.from(bytes).toString("base64") };
    }
    case "shutdown":
      return {};
    default:
      throw new RpcError(NO_METHOD, `no method ${JSON.stringify(method)}`);
  }
}

async function answerLine(line: string): Promise<void> {
  const { id = null, method, params } = readLine(line);
  if (typeof method !== "string") {
    write(null, { error: { code: PARSE_ERROR, message: "the line is no request in JSON" } });
    return;
  }
  try {
    write(id, { result: await answer(method, params ?? ({} as Params)) });
  } catch (error) {
    if (error instanceof RpcError) write(id, { error: { code: error.code, message: error.message } });
    else {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      write(id, { error: { code: INTERNAL_ERROR, message: String(error) } });
    }
  }
  if (method === "shutdown") process.stdout.write("", () => process.exit(0));
}

function readLine(line: string): {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Params;
} {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

function write(id: unknown, outcome: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
}

// What is logged belongs on standard error: standard output is for answers alone.
globalThis.console = new Console(process.stderr);

// Split at LF alone: node:readline also breaks a line at U+2028, which JSON text may hold (Node 24 and later).
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  // Not awaited: requests sent together are in flight together, and answers carry their `id`.
  for (const line of lines) void answerLine(line);
});
