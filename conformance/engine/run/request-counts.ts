import { REQUEST_KINDS, type RequestKind } from "../play/request-kind.ts";

/** How many requests were sent, by what for. */
export type RequestCounts = Readonly<Record<RequestKind, number>>;

/** Counts of nothing so far, to be added to. */
export function noRequests(): Record<RequestKind, number> {
  return Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, 0])) as Record<RequestKind, number>;
}

/** The counts of several runs as those of one. */
export function sumOfRequests(all: readonly RequestCounts[]): RequestCounts {
  const sum = noRequests();
  for (const counts of all) for (const kind of REQUEST_KINDS) sum[kind] += counts[kind];
  return sum;
}
