/**
 * A page of the documents, for a folder where there are no others: a link to one of the project's files is its mere text.
 * @param files files that lie beside the page now, by their paths in the project
 */
export function standalonePage(text: string, files: ReadonlyMap<string, string>): string {
  let page = text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)\s]*\)/g, "$1");
  for (const [path, file] of files) page = page.replaceAll(path, file);
  return page;
}
