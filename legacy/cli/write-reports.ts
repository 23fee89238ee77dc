import { appendFileSync } from "node:fs";
import { thrownLine } from "../adapters/one-line.ts";
import { plain } from "../plain-text.ts";
import type { ReportContext } from "../reports/view.ts";
import type { Output } from "./output.ts";
import type { Reporter } from "./reporters.ts";
import { writeWhole } from "./write-file.ts";

/** Columns of text that goes to a file, whatever the terminal. */
const FILE_WIDTH = 110;

/**
 * Writes a finished report to every requested place. A report that cannot be made or written is one line, and does not
 * stop the others.
 * @returns whether all was written
 */
export async function writeReports<Told>(
  reporters: readonly Reporter<Told>[],
  told: Told,
  context: Omit<ReportContext, "color" | "width">,
  output: Output,
): Promise<boolean> {
  let complete = true;
  const lost = (line: string) => {
    complete = false;
    output.err(`${plain(line)}\n`);
  };
  for (const { name, file, write, appends } of reporters) {
    const { color, width } = file === undefined ? output : { color: false, width: FILE_WIDTH };
    let text: string | undefined;
    try {
      text = await write(told, { ...context, color, width });
    } catch (error) {
      lost(`the ${name} report could not be made: ${thrownLine(error)}`);
      continue;
    }
    if (text === undefined) {
      output.err(`${name}: not written, since no verdict is given\n`);
      continue;
    }
    if (file === undefined) {
      output.out(text);
      continue;
    }
    try {
      if (appends) appendFileSync(file, text);
      else writeWhole(file, text);
    } catch (error) {
      lost(
        `${file}: the ${name} report could not be written (${(error as NodeJS.ErrnoException).code ?? thrownLine(error)})`,
      );
    }
  }
  const names = reporters.filter(({ file }) => file === undefined).map(({ name }) => name);
  const fault = await output.lost?.();
  if (fault !== undefined)
    lost(`standard output: the ${names.join(" and the ")} report could not be written (${fault})`);
  return complete;
}
