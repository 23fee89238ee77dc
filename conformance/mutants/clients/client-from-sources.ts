import { moduleFromSources } from "../module-from-sources.ts";
import type { Sources } from "../reference-program.ts";
import type { ClientModule } from "./client-in-thread.ts";

/** Makes a client of sources: see {@link moduleFromSources}. */
export function clientFromSources(sources: Sources): Promise<ClientModule> {
  return moduleFromSources(sources, "client.ts");
}
