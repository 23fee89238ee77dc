/** The broken service of the bank whose failure the documents show: a bad proof leaves its challenge usable. */
export const SHOWN_SERVICE = "challenge/used-up-by-success-only";
