import { PROBE_IDS } from "../engine/play/measured.ts";

/** How the run was asked for, as far as it takes to ask again: the options that reach the implementation. */
export interface Invocation {
  /** Command that starts the kit, its verb included. */
  readonly command: string;
  /** Options in the order of the command line, values quoted for a shell. */
  readonly options: readonly string[];
  readonly seed: number;
  /** Random cases of a property, where they are not as many as usual. */
  readonly runs?: number;
  /** Whether a program asked, about an object of its own: then it has to ask again. */
  readonly inCode?: true;
}

/** The command, or the call, that runs just this vector or property again. */
export function reproductionCommand(invocation: Invocation, id: string): string {
  const { command, options, seed } = invocation;
  const runs = id.startsWith("property/") ? invocation.runs : undefined;
  // What a probe asks depends on what else is asked.
  const isProbe = PROBE_IDS.includes(id);
  if (invocation.inCode) {
    const only = isProbe ? "" : `only: [${JSON.stringify(id)}], `;
    return `judge({ …, ${only}seed: ${seed}${runs === undefined ? "" : `, runs: ${runs}`} })`;
  }
  const only = isProbe ? [] : ["--only", shellQuote(id)];
  const cases = runs === undefined ? [] : ["--runs", String(runs)];
  return [command, ...options, ...only, "--seed", String(seed), ...cases].join(" ");
}

/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
