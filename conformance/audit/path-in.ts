/** The path and query of a URL, letter for letter: a parser of URLs rewrites dots and escapes that a service was asked with. */
export function pathIn(url: string): string {
  const [rest = ""] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").split("#", 1);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
