import { type RunningHttpServer, serveHttp } from "./http.ts";
import { controlledService } from "./http-control.ts";
import * as service from "./service.ts";

export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** A loopback address. */
  readonly host: string;
  /** Opens `/control`, which puts the service on a test clock that stands still until it is moved. */
  readonly control: boolean;
  /** The most entries of each kind held at once, where not the service's own choice, with `control`, or plenty. */
  readonly capacity?: number;
  /** The clock: ms since the Unix epoch. With `control` it is read once. */
  readonly now: () => number;
}

export interface ServedReference extends RunningHttpServer {
  /** The two metadata hosts, which no answer tells. */
  readonly metadataHosts: readonly string[];
  readonly controlUrl?: string;
}

/** One service serves whoever comes, and what they store lives up to an hour: many runs of the kit, one after another. */
const ROOM_FOR_HOURS = 20_000;

function everyStore(most: number): typeof service.facts.capacity {
  return { challenges: most, sessions: most, drafts: most };
}

/**
 * Serves the reference on this machine (contract, "What the service does": the prospective mapping).
 *
 * @throws {Error} one line, where `host` is no loopback address or the port cannot be had
 */
export async function serveReference({
  port,
  host,
  control,
  capacity: most,
  now,
}: ServeOptions): Promise<ServedReference> {
  const capacity =
    most === undefined && control ? service.facts.capacity : everyStore(most ?? ROOM_FOR_HOURS);
  const createService = (clock: { readonly now: () => number }) =>
    service.createService({ ...clock, capacity });
  const { metadataHosts } = service.facts;
  if (!control) return { ...(await serveHttp(createService({ now }), { port, host })), metadataHosts };

  const facts = { ...service.facts, capacity };
  const controlled = await controlledService({ ...service, createService, facts }, now());
  const server = await serveHttp(controlled, { port, host, control: controlled.control });
  return { ...server, metadataHosts, controlUrl: `${server.url}/control` };
}
