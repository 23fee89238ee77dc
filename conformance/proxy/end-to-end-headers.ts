import type { Header } from "./passed-exchange.ts";

/** Headers of one connection, which an intermediary must not pass on (RFC 9110, section 7.6.1). */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** The headers of a message in pairs, of names and values that follow one another. */
export function headerPairs(raw: readonly string[]): readonly Header[] {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  return pairs;
}

/** The headers that go on to the other side, in their order: without those of the connection, and those that it names. */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  const named = new Set(valuesOf(headers, "connection").flatMap((value) => value.split(",").map(lower)));
  return headers.filter(([name]) => {
    const known = lower(name);
    return !OF_THE_CONNECTION.has(known) && !named.has(known);
  });
}

/** All values of a header, in their order. @param name in lower case */
export function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Whether a message says that its connection ends with it (RFC 9112, section 9.3). */
export function endsConnection(headers: readonly Header[], httpVersion: string): boolean {
  const options = valuesOf(headers, "connection").flatMap((value) => value.split(",").map(lower));
  if (options.includes("close")) return true;
  return httpVersion === "1.0" && !options.includes("keep-alive");
}

/** Headers by their names, as Node takes them of a request; what stands twice has a list of values. */
export function byName(headers: readonly Header[]): Record<string, string | string[]> {
  const spelled = new Map<string, string>();
  // A name such as __proto__ is one like any other.
  const found: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const key = spelled.get(name.toLowerCase());
    if (key === undefined) {
      spelled.set(name.toLowerCase(), name);
      found[name] = value;
    } else found[key] = [found[key] ?? [], value].flat();
  }
  return found;
}

function lower(text: string): string {
  return text.trim().toLowerCase();
}
