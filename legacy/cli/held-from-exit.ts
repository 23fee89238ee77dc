/**
 * Runs what somebody else wrote, who must not end the program: a call of `process.exit` fails there as any other fault
 * does, so that what is left to do is done and the exit status stays the program's own.
 * @throws whatever it throws; an Error where it asks for the end of the process
 */
export async function heldFromExit<Value>(run: () => Promise<Value>): Promise<Value> {
  const own = process;
  const { exit } = own;
  own.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ""})`);
  };
  try {
    return await run();
  } finally {
    own.exit = exit;
  }
}
