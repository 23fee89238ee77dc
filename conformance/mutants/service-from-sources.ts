import type { ServiceModule } from "../adapters/in-process.ts";
import { moduleFromSources } from "./module-from-sources.ts";
import type { Sources } from "./reference-program.ts";

/** Makes a service of sources: see {@link moduleFromSources}. */
export function serviceFromSources(sources: Sources): Promise<ServiceModule> {
  return moduleFromSources(sources, "service.ts");
}
