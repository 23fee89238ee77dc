/** How a vector writes a name inside a text. */
export function inText(name: string): string {
  return `$\{${name}}`;
}
