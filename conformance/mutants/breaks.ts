import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PREPARED } from "../engine/data/prepared.ts";
import { PATHS } from "../paths.ts";

/** A broken service, by what it breaks. */
export interface Breaks {
  /** `area/entry`. */
  readonly id: string;
  /** Its own rule, then others that it cannot but break. */
  readonly breaks: readonly string[];
}

const FOLDER = join(PATHS.bank, "broken");

/** For every rule the ids of the services that break it, those of which it is the own rule first. */
export function byRule(broken: readonly Breaks[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const add = (rule: string, id: string) => index.set(rule, [...(index.get(rule) ?? []), id]);
  for (const { id, breaks } of broken) if (breaks[0] !== undefined) add(breaks[0], id);
  for (const { id, breaks } of broken) for (const rule of breaks.slice(1)) add(rule, id);
  return index;
}

/** As what the build prepares it. */
export const PREPARED_BREAKS = "breaks";

/** The files that it is read from. */
export function breaksSources(): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  return names.sort().map((name) => join(FOLDER, name));
}

/**
 * What the services of the bank break, and nothing else of them: to parse and check the whole bank takes longer than to
 * write every report. `loadBank` holds the files to the form that is looked for here, and a test holds this to it.
 */
export function scanBreaks(): readonly Breaks[] {
  const prepared = PREPARED.value(PREPARED_BREAKS, breaksSources) as readonly Breaks[] | undefined;
  return (
    prepared ??
    breaksSources().flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const area = /^area: (\S+)$/m.exec(text)?.[1];
      const entries = text.matchAll(/^ {2}- id: (\S+)$(?:\n(?! {2}-).*)*?\n {4}breaks: \[([^\]]*)\]/gm);
      return [...entries].map(([, id, breaks = ""]) => ({
        id: `${area}/${id}`,
        breaks: breaks.split(",").map((rule) => rule.trim()),
      }));
    })
  );
}
