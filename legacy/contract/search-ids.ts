import type { SearchIds } from "../engine/contract.ts";

/** The ids of {@link SEARCHES} in their order, for whoever has to know them before it is loaded. */
export const SEARCH_IDS: SearchIds = {
  properties: [
    "property/stateful",
    "property/universal",
    "property/texts",
    "property/addresses",
    "property/uris",
    "property/spellings",
    "property/races",
  ],
  exhaustive: "property/exhaustive",
};
