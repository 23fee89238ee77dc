/** Functions that a vector may call as `{ $name: argument }`. */
export const FUNCTION_NAMES = [
  "$repeat",
  "$fill",
  "$otherCase",
  "$otherCaseOnce",
  "$unlessSame",
  "$upper",
  "$lower",
  "$otherHex",
  "$otherEnd",
  "$otherStart",
  "$slice",
  "$replace",
  "$nested",
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** Other ways to write the same JSON object. */
export const SPELLINGS = [
  "compact",
  "reversed-keys",
  "white-space",
  "escaped",
  "reversed-white-space-escaped",
] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** Fields of a step that ask for an exact text, or exact bytes, of the request's body. */
export const RAW_TEXT_FIELDS = [
  "body",
  "bodyBase64",
  "spelling",
  "pad-to",
  "replace",
  "replaceBase64",
] as const;
