import type { Report } from "../engine/run/report.ts";

/** What a report calls the two sides of the contract, by the side that was judged. */
export interface SideWords {
  /** What was judged. */
  readonly judged: string;
  /** What readings of open points are shown beside. */
  readonly own: string;
  /** What may break under a test. */
  readonly breaks: string;
}

/** The words of a report about services or clients. */
export function sideWords({ side }: { readonly side?: Report["side"] | undefined }): SideWords {
  return side === "client"
    ? { judged: "client", own: "example", breaks: "The client" }
    : { judged: "service", own: "reference", breaks: "The adapter or the implementation" };
}
