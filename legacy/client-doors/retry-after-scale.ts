/** What clients that wait in real time are told to multiply their waits by, so that nobody waits for long. */
export const RETRY_AFTER_SCALE = 0.25;
