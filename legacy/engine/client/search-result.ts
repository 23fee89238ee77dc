import type { Result } from "../play/result.ts";
import type { ClientSearch } from "./client-contract.ts";

/** The id of a search in reports. */
export function searchId({ name }: Pick<ClientSearch, "name">): string {
  return `property/${name}`;
}

/** The result of a search with nothing to show for it. */
export function untriedSearch(search: ClientSearch, outcome: Result["outcome"], reason?: string): Result {
  return {
    id: searchId(search),
    kind: "property",
    title: search.title,
    rules: search.rules,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
