import { dirname, isAbsolute, join, relative } from "node:path";
import type { TargetConfig } from "../../api/define-config.ts";
import { duration } from "../option-values.ts";
import type { RunCommandOptions } from "../run-command.ts";

/** Options of a run as a target of a configuration file states them: what it leaves out is left out. */
export type StatedOptions = Partial<RunCommandOptions>;

/** Options whose value is a path. */
const PATHS = ["module", "baseline", "choices", "caFile", "saveFailures"] as const;

/**
 * The options of a target, its paths counted from the working directory in place of the file's folder.
 * @param file the path of the configuration file
 * @param cwd the working directory
 */
export function statedOptions(target: TargetConfig, file: string, cwd: string): StatedOptions {
  const folder = relative(cwd, dirname(file));
  const moved = (path: string) => (folder === "" || isAbsolute(path) ? path : join(folder, path));
  const { facts, reporters, subject, timeout, maxWait, restartOn, ...rest } = target;
  const paths = PATHS.flatMap((name) => (rest[name] === undefined ? [] : [[name, moved(rest[name])]]));
  return {
    ...rest,
    ...Object.fromEntries(paths),
    ...(rest.command === undefined || folder === "" ? {} : { commandFolder: folder }),
    ...(rest.runs === undefined ? {} : { runsGiven: true }),
    ...(typeof facts === "string" ? { facts: moved(facts) } : {}),
    ...(typeof facts === "object" ? { statedFacts: facts } : {}),
    ...(reporters === undefined ? {} : { reporter: reporters.map((one) => movedReporter(one, moved)) }),
    ...(subject === undefined ? {} : { subject: /@sha256:/.test(subject) ? subject : moved(subject) }),
    ...(timeout === undefined ? {} : { timeoutMs: inMs(timeout) }),
    ...(maxWait === undefined ? {} : { maxWaitMs: inMs(maxWait) }),
    ...(restartOn === undefined ? {} : { restartOn: restartOn.map(moved) }),
  };
}

/** `NAME=FILE`, where the name may be the path of a module, too. */
function movedReporter(value: string, moved: (path: string) => string): string {
  const [name = "", ...rest] = value.split("=");
  const file = rest.join("=");
  const path = /^\.{1,2}\//.test(name) ? moved(name) : name;
  const own = path === name || path.startsWith(".") ? path : `./${path}`;
  return rest.length === 0 ? own : `${own}=${file === "-" || file === "" ? file : moved(file)}`;
}

function inMs(value: number | string): number {
  return typeof value === "number" ? value : duration(value);
}
