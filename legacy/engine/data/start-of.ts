/**
 * So many characters of the beginning of a text, as a text of their own: what `slice` gives keeps the whole alive, and
 * a run that notes the beginnings of huge answers would hold them all.
 */
export function startOf(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), "utf16le").toString("utf16le");
}
