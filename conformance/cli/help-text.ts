import { Help, type Option } from "commander";

const HELP = new Help();

/** What --help says of an option. That a switch is off, and a list empty, goes without saying. */
export function helpText(option: Option): string {
  const { defaultValue, description } = option;
  const idle = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return idle ? description : HELP.optionDescription(option);
}
