/** Exit status of a run with nothing against the service whose report was lost. */
export const UNWRITTEN = 2;
/** Exit status of a run that was cut short, where no signal has one of its own. */
export const UNDECIDED = 4;
