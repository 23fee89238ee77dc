/** How the run was asked for, as far as it takes to ask again: the options that reach the implementation. */
export interface Invocation {
  /** Command that starts the kit, its verb included. */
  readonly command: string;
  /** Options in the order of the command line, values quoted for a shell. */
  readonly options: readonly string[];
  readonly seed: number;
  /** Random cases of a property, where they are not as many as usual. */
  readonly runs?: number;
}

/** The command that runs just this vector or property again. */
export function reproductionCommand({ command, options, seed, runs }: Invocation, id: string): string {
  const cases = runs !== undefined && id.startsWith("property/") ? ["--runs", String(runs)] : [];
  return [command, ...options, "--only", shellQuote(id), "--seed", String(seed), ...cases].join(" ");
}

/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
