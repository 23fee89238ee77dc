/** Wrong usage of the command line: one line, exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
