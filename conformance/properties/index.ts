import { spellings, universal } from "./bodies.ts";
import { pairs } from "./codes.ts";
import type { Property } from "./property.ts";
import { races } from "./races.ts";
import { scenarios } from "./scenarios.ts";
import { stateful } from "./stateful.ts";
import { addresses, texts, uris } from "./text-fields.ts";

/** All properties, in the order in which a run checks them. */
export const PROPERTIES: readonly Property[] = [
  scenarios,
  pairs,
  texts,
  addresses,
  uris,
  spellings,
  universal,
  races,
  stateful,
];
