/** Random cases that each property tries in a usual run. */
export const DEFAULT_RUNS = 60;

/** Seed of a usual run. */
export const DEFAULT_SEED = 1;
