/** All properties, in the order in which a run checks them. */
import type { Property } from "./property.ts";
import { stateful } from "./stateful.ts";

export const PROPERTIES: readonly Property[] = [stateful];
