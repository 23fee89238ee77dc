import { pathToFileURL } from "node:url";
import type { Adapter } from "../../adapters/adapter.ts";
import { httpAdapter } from "../../adapters/http.ts";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { PATHS } from "../../paths.ts";

/** What the reference's server is made of, as far as it is used here. */
interface ServerParts {
  controlledService(module: ServiceModule, nowMs: number): Promise<{ readonly control: unknown }>;
  serveHttp(
    service: object,
    options: {
      readonly port: number;
      readonly host: string;
      readonly control: unknown;
      readonly bodyBytes: number;
    },
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** Reaches a service by HTTP requests over sockets of this machine, with its clock and restarts at a control URL. */
export async function overHttp(service: ServiceModule): Promise<Adapter> {
  const { controlledService, serveHttp } = await serverParts();
  const controlled = await controlledService(service, 0);
  const { control } = controlled;
  // A service may read a body before it looks at the size: of half an object it would say otherwise than of a whole one.
  const bodyBytes = Number.POSITIVE_INFINITY;
  const server = await serveHttp(controlled, { port: 0, host: "127.0.0.1", control, bodyBytes });
  const adapter = httpAdapter({ url: server.url, controlUrl: `${server.url}/control` });
  return {
    ...adapter,
    jobs: 1,
    async close() {
      await adapter.close();
      await server.close();
    },
  };
}

async function serverParts(): Promise<ServerParts> {
  const part = (name: string) => import(pathToFileURL(`${PATHS.referenceSources}/${name}.ts`).href);
  return { ...(await part("http")), ...(await part("http-control")) };
}
