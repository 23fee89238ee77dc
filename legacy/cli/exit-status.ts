/** Exit status of a run with nothing against the service whose report was lost. */
export const UNWRITTEN = 2;
/** Exit status of a run that was cut short, where no signal has one of its own. */
export const UNDECIDED = 4;

/** Exit statuses, the worst first: violations, an interrupt (SIGINT, SIGTERM), a fault, a lost report, no verdict. */
const WORST_FIRST = [1, 130, 143, 3, UNWRITTEN, UNDECIDED, 0];

/** The worst of several exit statuses. */
export function worstOf(statuses: readonly number[]): number {
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? Math.max(0, ...statuses);
}
