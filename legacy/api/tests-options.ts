/** What `defineTests` is given: the types, and how it is read. */
import type { ServiceModule } from "../adapters/in-process.ts";
import { oneLine } from "../adapters/one-line.ts";
import { namesWith, type Stated, URL_OPTIONS } from "../cli/options.ts";
import { UsageError } from "../cli/usage-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import {
  type CommandTarget,
  type JudgeAsked,
  type JudgeOptions,
  judgeAsked,
  type ModuleTarget,
  type ServiceTarget,
  TARGET_WAYS,
  type UrlTarget,
} from "./judge-options.ts";

/** Which vectors and properties become tests, and how they are tried: options of `judge`. */
export interface Selection extends Stated<"tests"> {}

/** An implementation under test: one that is reached from outside, or a service of the test file, in its place as well. */
export type TestsTarget = ModuleTarget | CommandTarget | UrlTarget | ServiceTarget | ServiceModule;

/** What `defineTests` is given: the implementation and, next to it, the selection. */
export type TestsOptions = TestsTarget & Selection;

const SELECTION: readonly string[] = namesWith("tests");
const TARGET: readonly string[] = [...TARGET_WAYS, ...URL_OPTIONS];
/** What the protocol knows of a module's exports. */
const MODULE = ["createService", "facts", "capabilities", "implementation", "bytesToSign"];

/**
 * Reads the options of `defineTests`.
 * @param caller what errors begin with
 * @throws {UsageError} one line, where no implementation is named, an option is none, or a value is wrong
 */
export function testsAsked(options: TestsOptions, caller: string): JudgeAsked {
  const given = Object(options) as TestsOptions;
  const own = "createService" in given && typeof given.createService === "function";
  const known = own ? SELECTION : [...TARGET, ...SELECTION];
  const pick = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = suggestion(name, known);
    // A module may export what it likes.
    if (own && (near === "" || MODULE.includes(name))) continue;
    throw new UsageError(`${caller}: there is no option ${oneLine(name, 40)}${near}`);
  }
  const target = own ? { service: given } : pick(TARGET);
  if (!TARGET_WAYS.some((way) => (target as Readonly<Record<string, unknown>>)[way] !== undefined))
    throw new UsageError(`${caller}: give one of ${TARGET_WAYS.join(", ")} or createService`);
  return judgeAsked({ target, ...pick(SELECTION) } as JudgeOptions, caller);
}
