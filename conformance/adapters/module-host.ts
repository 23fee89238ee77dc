/**
 * The program that runs a user's module. It answers the messages of the adapter protocol on file descriptors
 * 3 and 4. Usage: `module-host.ts FILE`.
 */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { errorText } from "../data/text.ts";
import { ImplementationError, type Request, type Service } from "./adapter.ts";
import { InProcessAdapter, type ServiceModule } from "./in-process.ts";
import { loadModule } from "./load-module.ts";

const [REQUESTS, ANSWERS] = [3, 4];
const [, , file = ""] = process.argv;
let adapter: InProcessAdapter | undefined;
let service: Service | undefined;

/** Parameters of all messages. Each message has some of them. */
interface Params extends Request {
  readonly bodyBase64?: string;
  readonly nowMs: number;
  readonly ms: number;
  readonly message: string;
}

async function resultOf(method: string, params: Params): Promise<unknown> {
  adapter ??= new InProcessAdapter(await loadModule<ServiceModule>(file, "createService"), basename(file));
  switch (method) {
    case "initialize":
      return { protocol: 1, ...adapter.info };
    case "start":
      service = await adapter.start(params.nowMs);
      return {};
    case "handle": {
      const { bodyBase64, ...request } = params;
      const body =
        bodyBase64 === undefined ? {} : { body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
      return service?.handle({ ...request, ...body });
    }
    case "advance":
      await service?.advance(params.ms);
      return { nowMs: service?.nowMs };
    case "bytesToSign":
      return { base64: Buffer.from(await adapter.bytesToSign(params.message)).toString("base64") };
    default:
      return {};
  }
}

async function answer(line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line);
  const outcome = await resultOf(method, params).then(
    (result) => ({ result }),
    (error: unknown) => {
      const data = error instanceof ImplementationError ? error.details : {};
      return { error: { message: errorText(error), data } };
    },
  );
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
  if (method === "shutdown") process.exit(0);
}

const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
// The kit has ended, so this program exits, even if the module has pending work.
requests.on("close", () => process.exit());
createInterface({ input: requests }).on("line", (line) => void answer(line));
