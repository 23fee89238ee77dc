import { addresses, spellings, texts, uris } from "./fields.ts";
import type { Property } from "./property.ts";
import { races } from "./races.ts";
import { stateful } from "./stateful.ts";
import { universal } from "./universal.ts";

/** All properties, in the order in which they run. */
export const PROPERTIES: readonly Property[] = [
  stateful,
  universal,
  texts,
  addresses,
  uris,
  spellings,
  races,
];
