import type { ServiceModule } from "../../adapters/in-process.ts";
import { serviceFromSources } from "../../sabotage/service-from-sources.ts";
import { referenceSources } from "../../sabotage/sources.ts";

/** The bundled reference, quicker at proofs. */
export const quickReference: ServiceModule = await serviceFromSources(referenceSources());
