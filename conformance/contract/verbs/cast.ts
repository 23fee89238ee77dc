/** Names that a vector may use for its key pairs. People sign; metals are mints. Each vector has its own pairs. */
export const CAST: ReadonlySet<string> = new Set([
  "alice",
  "bob",
  "carol",
  "dave",
  "erin",
  "mallory",
  "gold",
  "silver",
  "copper",
  "tin",
  "zinc",
]);

/** Names that the kit itself provides to every vector. */
export const PROVIDED: ReadonlySet<string> = new Set([
  "case",
  "index",
  "hostA",
  "hostB",
  "operatorKey",
  "platform",
]);
