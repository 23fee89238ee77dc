/**
 * The program that runs a user's module. It answers the messages of the adapter protocol on separate file
 * descriptors. Usage: `module-host.ts FILE`.
 */
import { basename } from "node:path";
import type { Request, Service } from "./adapter.ts";
import { serveKit } from "./host.ts";
import { InProcessAdapter, type ServiceModule } from "./in-process.ts";
import { loadModule } from "./load-module.ts";

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

serveKit((method, params) => resultOf(method, params as unknown as Params));
