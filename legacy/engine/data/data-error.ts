/** A fault in one of the kit's data files or in a file that the user gave: reported as one line, exit status 2. */
export class DataError extends Error {
  override readonly name = "DataError";

  /** @param where `file:line:column`, or as much of it as is known */
  constructor(where: string, message: string) {
    super(`${where}: ${message}`);
  }
}
