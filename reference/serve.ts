import { type RunningHttpServer, serveHttp } from "./http.ts";
import { controlledService } from "./http-control.ts";
import * as service from "./service.ts";

export interface ServeOptions {
  /** Port, or 0 for any free port. */
  readonly port: number;
  /** Loopback address to listen on. */
  readonly host: string;
  /** Whether `/control` is served, and the service has a test clock that only control messages advance. */
  readonly control: boolean;
  /** Maximum number of entries in each store (default: 20,000, or with `control` the service's default). */
  readonly capacity?: number;
  /** Returns the time in ms since the Unix epoch. With `control`, it is called only once. */
  readonly now: () => number;
}

export interface ServedReference extends RunningHttpServer {
  /** The two metadata hosts, which no response contains. */
  readonly metadataHosts: readonly string[];
  readonly controlUrl?: string;
}

/** Capacity for many runs of the kit within an hour, during which no session expires. */
const LONG_RUN_CAPACITY = 20_000;

function everyStore(entries: number): typeof service.facts.capacity {
  return { challenges: entries, sessions: entries, drafts: entries };
}

/**
 * Serves the reference on this machine, by the prospective HTTP mapping (contract, "What the service does").
 * @throws {Error} with one line, if `host` is not a loopback address or the port is not available
 */
export async function serveReference({
  port,
  host,
  control,
  capacity: entries,
  now,
}: ServeOptions): Promise<ServedReference> {
  const capacity =
    entries === undefined && control ? service.facts.capacity : everyStore(entries ?? LONG_RUN_CAPACITY);
  const createService = (clock: { readonly now: () => number }) =>
    service.createService({ ...clock, capacity });
  const { metadataHosts } = service.facts;
  if (!control) return { ...(await serveHttp(createService({ now }), { port, host })), metadataHosts };

  const facts = { ...service.facts, capacity };
  const controlled = await controlledService({ ...service, createService, facts }, now());
  const server = await serveHttp(controlled, { port, host, control: controlled.control });
  return { ...server, metadataHosts, controlUrl: `${server.url}/control` };
}
