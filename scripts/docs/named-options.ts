import { runCli } from "../../legacy/testing/run-cli.ts";
import type { Page } from "./pages.ts";

/** The long options of each command of the kit, by its name. */
export type CommandOptions = ReadonlyMap<string, ReadonlySet<string>>;

/** Asks the command line itself for its commands and their options. */
export async function commandOptions(): Promise<CommandOptions> {
  const { stdout } = await runCli(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = ""]) => name);
  const options = new Map<string, ReadonlySet<string>>();
  for (const name of names.filter((one) => one !== "help")) {
    const help = await runCli([name, "--help"]);
    options.set(
      name,
      new Set([...help.stdout.matchAll(/^ {2}.*?(--[a-z-]+)/gm)].map(([, option = ""]) => option)),
    );
  }
  return options;
}

const OPTION = /(?<=^|[\s"'(])--[a-z][a-z-]*/g;
/** What stands before options that are not the kit's own. */
const FOREIGN = /^(node|npm|npx (?!launch-draft-conformance)|docker|cosign)\b/;

/** Options that a page gives to a command which has none of that name, as `COMMAND OPTION`; `any` where it names no command. */
export function unknownOptions(page: Page, options: CommandOptions): readonly string[] {
  const all = new Set([...options.values()].flatMap((some) => [...some]));
  const spans = page.codeSpans.filter((text) => !FOREIGN.test(text));
  const inSpans = spans.flatMap((text) => {
    const [command = ""] = text.split(" ");
    const own = options.get(command) ?? all;
    return [...text.matchAll(OPTION)]
      .filter(([option]) => !own.has(option))
      .map(([option]) => `${options.has(command) ? command : "any"} ${option}`);
  });
  const lines = page.blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"));
  const inLines = lines.flatMap((line) => {
    const [, command = "", words = ""] = /launch-draft-conformance ([a-z]+)([^#]*)/.exec(line) ?? [];
    const own = options.get(command);
    // What is quoted is a command of somebody else's.
    return [...words.replace(/"[^"]*"/g, '""').matchAll(OPTION)]
      .filter(([option]) => own?.has(option) !== true)
      .map(([option]) => `${command} ${option}`);
  });
  return [...inSpans, ...inLines];
}
