import { pathToFileURL } from "node:url";
import { isLoopback } from "../adapters/is-loopback.ts";
import { thrownLine } from "../adapters/one-line.ts";
import { PATHS } from "../paths.ts";
import type { OptionsOf } from "./options.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

export type ServeCommandOptions = OptionsOf<"serve">;

/** What the edge of the program gives to a server. */
export interface ServeEdge {
  readonly output: Output;
  readonly now: () => number;
  /** Settles when the server is to stop. */
  readonly stop: Promise<void>;
}

/** The used part of what the bundled reference's server exports. */
interface ReferenceServer {
  serveReference(options: ServeCommandOptions & { readonly now: () => number }): Promise<{
    readonly url: string;
    readonly controlUrl?: string;
    readonly metadataHosts: readonly string[];
    readonly stopped: Promise<void>;
    close(): Promise<void>;
  }>;
}

/**
 * `serve`: the bundled reference over HTTP on this machine, until it is stopped. Standard output gets one line of
 * JSON, `{url, controlUrl?, metadataHosts, pid}`, when connections are taken.
 *
 * @throws {UsageError} for an address that other machines could reach, or one that cannot be had
 */
export async function serveCommand(options: ServeCommandOptions, { output, now, stop }: ServeEdge) {
  const host = options.host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (!isLoopback(host)) {
    throw new UsageError(
      `--host must be a loopback address, got ${host}: the reference is served on this machine only`,
    );
  }
  const { serveReference }: ReferenceServer = await import(pathToFileURL(PATHS.referenceServer).href);
  const server = await serveReference({ ...options, host, now }).catch((thrown: unknown) => {
    throw new UsageError(thrownLine(thrown));
  });
  const { url, controlUrl, metadataHosts } = server;
  const control = controlUrl === undefined ? {} : { controlUrl };
  output.out(`${JSON.stringify({ url, ...control, metadataHosts, pid: process.pid })}\n`);
  await Promise.race([stop.then(() => server.close()), server.stopped]);
  return 0;
}
