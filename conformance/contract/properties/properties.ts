import type { Property } from "../../engine/search/property.ts";
import { races } from "../../engine/search/races.ts";
import { stateful } from "../../engine/search/stateful.ts";
import { addresses, spellings, texts, uris } from "./fields.ts";
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
