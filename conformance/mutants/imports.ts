import type { Sources } from "./reference-program.ts";

/** What an edit's text needs: a name that some file of the reference exports, or `name from package`. */
interface Import {
  /** What stands between the braces. */
  readonly specifier: string;
  /** The name that it gets in the file. */
  readonly name: string;
  readonly from?: string;
}

/** The file's text, with an import in front of it of each name that it does not import or declare already. */
export function withImports(sources: Sources, file: string, imports: Iterable<string>): string {
  const text = sources.get(file) ?? "";
  const lines = [...imports].map(parse).flatMap(({ specifier, name, from }) => {
    const exporter = from === undefined ? exporterOf(sources, name) : undefined;
    if (isImported(text, name) || exporter === file) return [];
    return `import { ${specifier} } from "${from ?? `./${exporter}`}";\n`;
  });
  return lines.join("") + text;
}

/** Of these imports, the names that no file exports and that name no package. */
export function unknownNames(sources: Sources, imports: readonly string[]): readonly string[] {
  const missing = imports.map(parse).filter(({ name, from }) => {
    return from === undefined && exporterOf(sources, name) === undefined;
  });
  return missing.map(({ name }) => name);
}

function parse(text: string): Import {
  const [specifier = "", from] = text.split(" from ");
  const name = specifier.split(" ").at(-1) ?? "";
  return { specifier, name, ...(from === undefined ? {} : { from }) };
}

function exporterOf(sources: Sources, name: string): string | undefined {
  const exported = new RegExp(`\\bexport\\s+(?:const|let|function|class|interface|type)\\s+${name}\\b`);
  return [...sources].find(([, text]) => exported.test(text))?.[0];
}

function isImported(text: string, name: string): boolean {
  const clauses = [...text.matchAll(/\bimport\b([^;"']*)\bfrom\b/g)].map(([, clause = ""]) => clause);
  return clauses.some((clause) => new RegExp(`\\b${name}\\b`).test(clause));
}
