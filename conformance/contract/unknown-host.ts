/** In place of a metadata gateway host that nobody stated. */
export const UNKNOWN_HOST = "";
