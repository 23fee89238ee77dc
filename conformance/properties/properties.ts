import type { Property } from "./property.ts";
import { stateful } from "./stateful.ts";

/** All properties, in the order in which they run. */
export const PROPERTIES: readonly Property[] = [stateful];
