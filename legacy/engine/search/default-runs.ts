/** Random cases that each property tries in a usual run. */
export const DEFAULT_RUNS = 60;

/** Random scripts that a client is given in a usual run. */
export const DEFAULT_SCRIPTS = 20;

/** Seed of a usual run. */
export const DEFAULT_SEED = 1;

/** Length of the sequences of which a usual run tries every one. */
export const DEFAULT_DEPTH = 3;

/** About how many requests the searches of a usual run take, by whether that is one of {@link REMOTE_BUDGET}. */
export const SEARCH_REQUESTS = { remote: 10_000, near: 24_000 };

/** Steps of the exhaustive search of a usual run where nothing bounds them. */
export const EXHAUSTIVE_STEPS = 9000;

/**
 * What a usual run may spend on its searches where an implementation is not in the kit's own process, and so a tenth as
 * fast: requests, clock steps and restarts of the exhaustive search, and requests of each random case.
 */
export const REMOTE_BUDGET = { steps: 3000, requestsOfCase: 100 };
