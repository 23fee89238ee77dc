import { Instrumenter } from "@stryker-mutator/instrumenter";
import { referenceSources, type Sources } from "../program.ts";

/** One change of the reference, as Stryker makes them. */
export interface GeneratedMutant {
  /** Stryker's number, which switches it on. */
  readonly id: string;
  readonly file: string;
  /** Line of the file in which the changed text begins, from 1. */
  readonly line: number;
  /** What tells it from any other mutant wherever its line stands. */
  readonly change: Change;
}

/** A change by its words alone, with single spaces between them. */
export interface Change {
  readonly file: string;
  /** The line in which the changed text begins. */
  readonly in: string;
  readonly was: string;
  readonly now: string;
}

/** The reference with every mutant in it, all of them switched off, and the list of the mutants. */
export interface MutatedReference {
  readonly sources: Sources;
  readonly mutants: readonly GeneratedMutant[];
}

/** A name that Stryker's instrumented code looks up in the global object. */
const SWITCH = "__stryker__";

/** How often a mutant may be asked for before it counts as a loop without end. */
const MOST_HITS = 10_000_000;

/** Lets Stryker mutate all of the reference that a request can reach. The same sources give the same mutants. */
export async function mutatedReference(sources: Sources = referenceSources()): Promise<MutatedReference> {
  const reached = importedBy("service.ts", sources);
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: reached.has(name) }));
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
  const { files: instrumented, mutants } = await new Instrumenter(SILENT).instrument(files, options);
  return {
    sources: new Map(instrumented.map(({ name, content }) => [name, content])),
    mutants: mutants.map(({ id, fileName, location: { start, end }, replacement }) => {
      const lines = (sources.get(fileName) ?? "").split("\n");
      const was = [...lines.slice(start.line, end.line), (lines[end.line] ?? "").slice(0, end.column)]
        .join("\n")
        .slice(start.column);
      const change = {
        file: fileName,
        in: words(lines[start.line] ?? ""),
        was: words(was),
        now: words(replacement),
      };
      return { id, file: fileName, line: start.line + 1, change };
    }),
  };
}

/** Switches one mutant on for all instrumented code that is loaded from now on, and all others off. */
export function switchOn({ id }: Pick<GeneratedMutant, "id">): void {
  // biome-ignore lint/style/noRestrictedGlobals: instrumented code looks its switch up in the global object, by name
  Object.assign(globalThis, { [SWITCH]: { activeMutant: id, hitCount: 0, hitLimit: MOST_HITS } });
}

/** A file and all that it imports: the server and the fixtures' service import the service, and it none of them. */
function importedBy(name: string, sources: Sources, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, imported = ""] of (sources.get(name) ?? "").matchAll(/ from "\.\/([^"]+)";/g))
    importedBy(imported, sources, found);
  return found;
}

function words(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

const no = (): boolean => false;
const nothing = (): void => {};

/** Stryker's logger: what it tells of its progress, nobody needs. */
const SILENT = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
