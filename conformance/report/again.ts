/** How the run was asked for, as far as it takes to ask again: the options that reach the implementation. */
export interface Invocation {
  /** Command that starts the kit, its verb included. */
  readonly command: string;
  /** Options in the order of the command line, values quoted for a shell. */
  readonly options: readonly string[];
  readonly seed: number;
}

/** The command that runs just this vector or property again. */
export function againCommand({ command, options, seed }: Invocation, id: string): string {
  return [command, ...options, "--only", shellQuote(id), "--seed", String(seed)].join(" ");
}

/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
