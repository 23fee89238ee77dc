/** One of the tries that a vector is given. */
export interface Try {
  /** Real time that a task may take, in ms; 0 for any. */
  readonly limitMs: number;
  /** Whether what comes of it counts, whatever it is. */
  readonly isLast: boolean;
}

/**
 * Plays something, and once more with twice the time where a task was overdue beside others: that the machine is busy with
 * them is no fault of the client's.
 * @param jobs how many clients are given tasks side by side
 */
export async function patiently<Played extends { readonly cut?: string }>(
  jobs: number,
  limitMs: number,
  play: (one: Try) => Promise<Played>,
): Promise<Played> {
  const isAlone = jobs < 2;
  const played = await play({ limitMs, isLast: isAlone });
  return played.cut === "overdue" && !isAlone ? play({ limitMs: 2 * limitMs, isLast: true }) : played;
}
