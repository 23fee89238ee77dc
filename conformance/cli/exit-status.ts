/** Exit status of a run with nothing against the service whose report was lost. */
export const UNWRITTEN = 2;
/** Exit status of a run that was cut short, where no signal has one of its own. */
export const UNDECIDED = 4;

/** Of several reports the worst news: something was found, something broke, something was lost, nothing could be judged. */
export function worstOf(statuses: readonly number[]): number {
  return [1, 3, UNWRITTEN, UNDECIDED].find((status) => statuses.includes(status)) ?? 0;
}
