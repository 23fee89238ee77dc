/**
 * What requests are sent for: what a vector expects something of (`asked`), what it needs first (`preparing`), what
 * fills a store (`floods`), sequences that are searched (`searches`), and what finds out how the service keeps time and
 * how much it holds (`measuring`).
 */
export const REQUEST_KINDS = ["asked", "preparing", "floods", "searches", "measuring"] as const;
/** What a request is sent for. */
export type RequestKind = (typeof REQUEST_KINDS)[number];

const PREPARED = " (prepared)";

/** The step of what the kit does on a step's behalf. */
export function preparedStep(step: string): string {
  return `${step}${PREPARED}`;
}

/** Whether a step is what the kit does on another's behalf. */
export function isPrepared(step: string): boolean {
  return step.endsWith(PREPARED);
}
