/**
 * Whether bytes hold a text, in UTF-8. The text is made into bytes first: searched for as it is, one with half a
 * surrogate pair, which any answer may contain, aborts the process on some versions of Node.
 */
export function holdsText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(text));
}
