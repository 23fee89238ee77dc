/** Random cases that each property tries in a usual run. */
export const DEFAULT_RUNS = 60;

/** Seed of a usual run. */
export const DEFAULT_SEED = 1;

/** Length of the sequences of which a usual run tries every one. */
export const DEFAULT_DEPTH = 3;

/**
 * What a usual run may spend on its searches where an implementation is not in the kit's own process, and so a tenth as
 * fast: requests, clock steps and restarts of the exhaustive search, and requests of each random case.
 */
export const REMOTE_BUDGET = { steps: 3000, requestsOfCase: 100 };
