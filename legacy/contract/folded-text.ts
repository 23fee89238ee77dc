/**
 * A text of a launch request as a canonical form may have it: forms may fold what Unicode holds equivalent, outer white
 * space, and the case of scheme and host.
 */
export function foldedText(field: string, text: string): string {
  const normal = text.normalize("NFKC").trim();
  return field === "uri" ? normal.replace(/^[^/]*\/\/[^/]*/, (start) => start.toLowerCase()) : normal;
}
