import { oneLine } from "../adapters/one-line.ts";
import { type JudgeAsked, judgeAsked } from "../api/judge-asked.ts";
import type { JudgeOptions } from "../api/judge-options.ts";
import { UsageError } from "../cli/usage-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import type { DoorOptions } from "./door-options.ts";

const CALLER = "conformanceTests";
const SELECTION = ["only", "seed", "salt", "runs", "exhaustive", "timeout", "maxWait"];
const WAYS = ["module", "command", "attach", "url", "service"];
const TARGET = [...WAYS, "controlUrl", "facts", "metadataHosts", "caFile", "allowSelfSigned"];
/** What the protocol knows of a module's exports. */
const MODULE = ["createService", "facts", "capabilities", "implementation", "bytesToSign"];

/**
 * Reads the options of `conformanceTests`.
 * @throws {UsageError} one line, where no implementation is named, an option is none, or a value is wrong
 */
export function doorAsked(options: DoorOptions): JudgeAsked {
  const given = Object(options) as DoorOptions;
  const own = "createService" in given && typeof given.createService === "function";
  const known = own ? SELECTION : [...TARGET, ...SELECTION];
  const pick = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = suggestion(name, known);
    // A module may export what it likes.
    if (own && (near === "" || MODULE.includes(name))) continue;
    throw new UsageError(`${CALLER}: there is no option ${oneLine(name, 40)}${near}`);
  }
  const target = own ? { service: given } : pick(TARGET);
  if (!WAYS.some((way) => (target as Readonly<Record<string, unknown>>)[way] !== undefined))
    throw new UsageError(`${CALLER}: give one of ${WAYS.join(", ")} or createService`);
  return judgeAsked({ target, ...pick(SELECTION) } as JudgeOptions, CALLER);
}
