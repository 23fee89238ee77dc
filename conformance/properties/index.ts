/** All properties, in the order in which a run checks them. */
import { spellings, universal } from "./bodies.ts";
import { challenges } from "./challenges.ts";
import { codes } from "./codes.ts";
import { limits } from "./limits.ts";
import type { Property } from "./property.ts";
import { races } from "./races.ts";
import { stateful } from "./stateful.ts";
import { addresses, texts, uris } from "./text-fields.ts";
import { lifetimes, windows } from "./windows.ts";

export { DEFAULT_RUNS, type Property, type PropertyOptions, type PropertyResult } from "./property.ts";

export const PROPERTIES: readonly Property[] = [
  lifetimes,
  challenges,
  windows,
  limits,
  codes,
  texts,
  addresses,
  uris,
  spellings,
  universal,
  races,
  stateful,
];
