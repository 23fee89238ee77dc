import { DataError } from "../contract/data-file.ts";

/**
 * Runs a command: `list [OPTION...]`, or `[run] MODULE [GLOB...]`.
 * @returns exit status
 */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === "list") {
      const { list } = await import("./list.ts");
      process.stdout.write(list(rest));
      return 0;
    }
    const { runModule } = await import("./run.ts");
    return await runModule(command === "run" ? rest : args);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}
