/** Random cases that each property tries in a usual run. */
export const DEFAULT_RUNS = 100;
