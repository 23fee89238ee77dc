import { ImplementationError } from "../adapters/adapter.ts";
import { errorText } from "../data/text.ts";
import type { Edge } from "./edge.ts";
import type { Options } from "./options.ts";
import { loadReference } from "./target.ts";

/** Interval at which to check that the process that started this one still runs, in ms. */
const PARENT_CHECK_MS = 1_000;

/** The part of the reference's server module that this command uses. */
interface ReferenceServer {
  serveReference(options: object): Promise<{
    readonly url: string;
    readonly controlUrl?: string;
    readonly metadataHosts: readonly string[];
    /** Resolves when the server has stopped, by `close` or the message `shutdown`. */
    readonly stopped: Promise<void>;
    close(): Promise<void>;
  }>;
}

/**
 * Serves the bundled reference over HTTP on this machine, until a signal, the message `shutdown`, or the end
 * of the process that started this one. Prints a line of JSON when the server accepts connections:
 * `{url, controlUrl?, metadataHosts, pid}`.
 * @returns exit status
 * @throws {ImplementationError} if the port cannot be opened
 */
export async function serveCommand(
  { port = 0, control = false, capacity }: Options,
  edge: Edge,
): Promise<number> {
  const { serveReference } = await loadReference<ReferenceServer>("serve");
  const options = { port, host: "127.0.0.1", control, capacity, now: edge.clock.now };
  const server = await serveReference(options).catch((error: unknown) => {
    const message = errorText(error);
    const advice = /EADDR|EACCES/.test(message) ? "; choose another --port" : "";
    throw new ImplementationError(message + advice);
  });
  const { url, controlUrl, metadataHosts, stopped } = server;
  edge.write(`${JSON.stringify({ url, controlUrl, metadataHosts, pid: process.pid })}\n`);
  const close = () => void server.close();
  const parent = edge.parentPid();
  const stopChecks = edge.every(PARENT_CHECK_MS, () => edge.parentPid() !== parent && close());
  if (edge.interrupted.aborted) close();
  edge.interrupted.addEventListener("abort", close, { once: true });
  await stopped;
  stopChecks();
  return 0;
}
