/** The table of options on commander's commands: their declaration, their help, and what a user gave of them. */
import { type Command, Help, Option } from "commander";
import { readWord } from "./option-values.ts";
import {
  type CommandName,
  ENTRIES,
  flagOf,
  keyOf,
  type OptionEntry,
  type OptionName,
  type OptionsOf,
} from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** What a user gave a command. */
export interface Given<Name extends CommandName> {
  readonly options: OptionsOf<Name>;
  /** Names, in the kit, of the options that the command line states. */
  readonly stated: ReadonlySet<string>;
}

/** Declares the options that a command takes. */
export function addOptions(command: Command, name: CommandName): Command {
  for (const [option, entry] of ENTRIES)
    if (entry.on.includes(name)) command.addOption(optionFor(name, flagOf(option), entry));
  return command;
}

function optionFor(name: CommandName, flag: string, entry: OptionEntry): Option {
  const { value: shown, kind, choices } = entry;
  const option = new Option(`${flag} ${shown}`.trim(), helpFor(name, entry));
  if (choices !== undefined) option.choices(choices);
  if (kind.read !== undefined || option.required || option.optional)
    option.argParser((word, earlier: unknown) => {
      const value = readWord(kind, choices === undefined ? word : word.toLowerCase(), flag);
      if (choices !== undefined && !choices.includes(String(value)))
        throw new UsageError(`${flag} must be one of ${choices.join(", ")}, got ${word}`);
      return isList(kind) ? [...((earlier as readonly unknown[] | undefined) ?? []), value] : value;
    });
  const value = entry.defaultOf?.[name] ?? entry.default;
  return value === undefined ? option : option.default(value, shownDefault(kind, value));
}

function helpFor(name: CommandName, { help, helpOf, traits }: OptionEntry): string {
  const prefix = traits?.includes("url") ? "with --url: " : "";
  return helpOf?.[name] ?? prefix + help;
}

function isList({ schema }: OptionEntry["kind"]): boolean {
  return "type" in schema && schema.type === "array";
}

function shownDefault(kind: OptionEntry["kind"], value: unknown): string | undefined {
  if (!("unit" in kind)) return undefined;
  return value === 0 ? "0" : `${Number(value) / 1000}s`;
}

const HELP = new Help();

/** What --help says of an option. That a switch is off, and a list empty, goes without saying. */
export function helpText(option: Option): string {
  const { defaultValue, description } = option;
  const isOff = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isOff ? description : HELP.optionDescription(option);
}

/** The options that a command line gave, and the defaults of the others, by their names in the kit. */
export function givenOptions<Name extends CommandName>(command: Command): Given<Name> {
  const names = Object.keys(command.opts()) as OptionName[];
  const options = Object.fromEntries(names.map((name) => [keyOf(name), command.getOptionValue(name)]));
  const stated = names.filter((name) => command.getOptionValueSource(name) === "cli").map(keyOf);
  return { options: options as OptionsOf<Name>, stated: new Set(stated) };
}

/**
 * Refuses an empty argument, which is not a file, name or address.
 * @throws {UsageError} that names the argument
 */
export function refuseEmptyArguments(command: Command): void {
  const isEmpty = (value: unknown) =>
    [value].flat().some((one) => typeof one === "string" && one.trim() === "");
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.processedArgs[index]));
  if (argument !== undefined)
    throw new UsageError(`${command.name()}: <${argument.name()}> must not be empty`);
}
