/** How values of options are read; what is wrong about one is told by the program, with the option's name. */
import type { Command } from "commander";
import { parseShard, type Shard } from "../engine/run/shard.ts";
import { parseDuration } from "../engine/vectors/duration.ts";
import { UsageError } from "./usage-error.ts";

/** A value that is not what is wanted; commander knows it by its code. */
class InvalidValue extends Error {
  readonly code = "commander.invalidArgument";
  readonly exitCode = 1;
}

/**
 * Refuses an empty text, which is no file, command, name or address.
 * @throws {UsageError} that names the option or the argument
 */
export function refuseEmpty(command: Command): void {
  const isEmpty = (value: unknown) =>
    [value].flat().some((one) => typeof one === "string" && one.trim() === "");
  const option = command.options.find((one) => isEmpty(command.getOptionValue(one.attributeName())));
  if (option !== undefined) throw new UsageError(`${option.long}: a value is wanted, not an empty text`);
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.processedArgs[index]));
  if (argument !== undefined)
    throw new UsageError(`${command.name()}: a value is wanted for <${argument.name()}>, not an empty text`);
}

/** An option that may be given several times: everything that was given. */
export function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

/** A whole number that is not negative. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidValue("a whole number is wanted.");
  return Number(text);
}

/** How many of something there are to be. */
export function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidValue("a whole number from 1 on is wanted.");
  return Number(text);
}

/** The seed of a run; `random` for one that is drawn. */
export function seed(text: string): number | "random" {
  if (text === "random") return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidValue("a whole number is wanted, or `random`.");
  return Number(text);
}

/** The salt of a run: what a shell, a log and a file name take as it is. */
export function salt(text: string): string {
  if (/^\w[\w.:-]{0,63}$/.test(text)) return text;
  throw new InvalidValue("1 to 64 letters, digits and any of . _ : - are wanted, such as build-17.");
}

/** What stands before the path of each request: an origin, or a folder below one; without the slash at its end. */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const more = url && (url.username || url.password || /[?#]/.test(text));
  if (url === undefined || more || !/^https?:$/.test(url.protocol))
    throw new InvalidValue("an http or https address is wanted, such as https://app.example/api.");
  return url.href.replace(/\/+$/, "");
}

/** A part of a run, `2/3`. */
export function shard(text: string): Shard {
  const parsed = parseShard(text);
  if (parsed === undefined) throw new InvalidValue("I/N is wanted, I from 1 to N: such as 2/3.");
  return parsed;
}

/** The length of the sequences of an exhaustive search; 0 for none. */
export function searchDepth(text: string): number {
  if (!/^\d$/.test(text)) throw new InvalidValue("a depth from 1 to 9 is wanted, or 0 for none.");
  return Number(text);
}

/** A length of time in ms: `500ms`, `90s`, `1h`, or 0. */
export function duration(text: string): number {
  const ms = text === "0" ? 0 : parseDuration(text);
  if (ms === undefined) throw new InvalidValue("a duration is wanted, such as 500ms, 90s or 1h.");
  return ms;
}
