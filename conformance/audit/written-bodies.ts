/** Methods whose bodies say nothing. */
export const BODILESS: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What stands in a text for bytes that its writer could not read. */
export const UNREAD_BYTES = /\uFFFD|[\uD800-\uDFFF]/u;
