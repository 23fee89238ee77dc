import type { Command, Option } from "commander";
import { loadKitData } from "../contract/kit-data.ts";
import { everyId } from "../engine/search/search-ids.ts";
import { CAPABILITIES } from "../engine/vectors/need.ts";
import { loadMutants } from "../mutants/suite.ts";
import { findConfig, readConfig } from "./config.ts";
import { clientData } from "./judged-data.ts";
import { REPORTERS } from "./reporters.ts";

/** Candidates for a value, by the name of what it belongs to: an option's long name, `COMMAND OPTION` or `COMMAND ARGUMENT`. */
export type KnownValues = Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>>;

/** The command that is meant where the line names none. */
const USUAL = "run";

/**
 * Candidates for the last word of a command line.
 * @param program the commands and their options
 * @param words those after the program's name; the last is what is typed of it so far, perhaps nothing
 * @param values those that the program does not state itself
 * @returns words that begin so; long ids up to their next slash. None where a shell should offer its files
 */
export async function completions(
  program: Command,
  words: readonly string[],
  values: KnownValues,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const named = program.commands.find((one) => one.name() === before[0]);
  const command = named ?? program.commands.find((one) => one.name() === USUAL);
  if (command === undefined) return [];
  const option = openOption(command, before);
  const all =
    option !== undefined
      ? await valuesOf(command, option, values)
      : current.startsWith("-")
        ? flagsOf(command)
        : [...(before.length === 0 ? namesOf(program) : []), ...(await argumentsOf(command, values))];
  const fitting = all.filter((one) => one.startsWith(current));
  return [...new Set(fitting.map((one) => upToSlash(one, current)))];
}

/** The option that the next word is a value of, if there is one. */
function openOption(command: Command, before: readonly string[]): Option | undefined {
  const place = before.findLastIndex((word) => word.startsWith("-"));
  const word = before[place];
  const option = command.options.find(
    ({ long, short }) => word !== undefined && [long, short].includes(word),
  );
  if (option === undefined || !(option.required || option.optional)) return undefined;
  return option.variadic || place === before.length - 1 ? option : undefined;
}

async function valuesOf(
  command: Command,
  { long = "", argChoices }: Option,
  values: KnownValues,
): Promise<readonly string[]> {
  const known = values[`${command.name()} ${long}`] ?? values[long];
  return argChoices ?? (await known?.()) ?? [];
}

async function argumentsOf(command: Command, values: KnownValues): Promise<readonly string[]> {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  return argument.argChoices ?? (await values[`${command.name()} ${argument.name()}`]?.()) ?? [];
}

function flagsOf(command: Command): readonly string[] {
  return [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []), "--help"];
}

function namesOf(program: Command): readonly string[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
}

/** A long id as a path is completed: one part after the other. */
function upToSlash(value: string, current: string): string {
  const slash = value.indexOf("/", current.length);
  return slash === -1 ? value : value.slice(0, slash + 1);
}

/** What the kit knows to stand after its options and commands. @param cwd where a configuration file may name targets */
export function knownValues(cwd: string): KnownValues {
  return {
    "--reporter": () => REPORTERS,
    "--only": ids,
    "--seed": () => ["random"],
    "--allow-untried": () => [...CAPABILITIES, ...loadKitData().contract.rules.keys()],
    "client --only": async () => (await clientData()).ids(),
    "client --allow-untried": async () => [...(await clientData()).contract.rules.keys()],
    "run targets": () => targets(cwd),
    "explain id": async () => {
      const { clientIds } = await import("./explain-command.ts");
      const { contract } = loadKitData();
      const { broken, legal } = loadMutants("services", contract);
      const own = [...contract.rules.keys(), ...contract.points.keys(), ...(await ids())];
      return [...own, ...[...broken, ...legal].map(({ id }) => id), ...clientIds()];
    },
  };
}

async function ids(): Promise<readonly string[]> {
  const { contract, suites } = loadKitData();
  return everyId(contract, suites.vectors);
}

async function targets(cwd: string): Promise<readonly string[]> {
  const file = findConfig(cwd);
  return file === undefined ? [] : Object.keys((await readConfig(file)).targets);
}
