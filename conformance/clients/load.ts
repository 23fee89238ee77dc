import { join } from "node:path";
import type { Contract } from "../contract/contract.ts";
import type { Path } from "../data/data-file.ts";
import type { Fields, Json, JsonObject } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { checkSchema } from "../data/schema-check.ts";
import { parseDuration } from "../suite/compile.ts";
import { readSuites } from "../suite/compiled.ts";
import { loadSuites, suiteFiles } from "../suite/load.ts";
import { type CaseSource, Names, type SuiteEntry } from "../suite/names.ts";
import { fillCaseValues } from "../suite/template.ts";
import { FORM_NAMES } from "./service/forms.ts";
import type { LaunchStep, ResultKind, ScriptedFault, Trial, TrialStep } from "./trial.ts";

const SCHEMA = join(DATA_FOLDER, "contract", "client-suite.schema.json");

/**
 * Loads the trials of the given files, or all trials, in the order in which to implement a client.
 * @throws {DataError} with all faults of all files, each with file:line:column
 */
export function loadTrials(contract: Contract, files?: readonly string[]): readonly Trial[] {
  const format = { schema: SCHEMA, compile: compileTrial };
  if (files !== undefined) return loadSuites(files, contract, format);
  const folder = join(DATA_FOLDER, "client-suites");
  return readSuites(folder, () => loadSuites(suiteFiles(folder), contract, format));
}

/** A trial as written in a suite (schema: `client-suite.schema.json`). */
interface TrialEntry extends SuiteEntry {
  readonly capacity?: Fields;
  readonly "base-path"?: string;
  readonly deadline?: string;
  readonly service?: readonly Json[];
  readonly steps: readonly Fields[];
}

interface LaunchEntry {
  readonly launch: Readonly<{ by?: string; token?: JsonObject; again?: string; id?: Json }>;
  readonly as?: string;
  readonly expect?: string;
}

/** Compiles a trial. Records each mistake in the suite file with `source.addFault`. */
function compileTrial(from: CaseSource<TrialEntry>): Trial {
  const { source, entry, path, id, title, rules, place, caseValues } = from;
  const { capacity = {}, service = [], steps, deadline } = entry;
  const names = new Names(from, FORM_NAMES);
  /** Launches that have a name. */
  const named = new Map<string, LaunchStep>();
  const launchNamed = (reference: string | undefined, at: Path): LaunchStep | undefined => {
    const launch = named.get(reference?.slice(1) ?? "");
    if (reference !== undefined && launch === undefined)
      source.addFault(at, `no launch has the name ${reference}`);
    return launch;
  };
  let launchCount = 0;

  /**
   * Fills in the values of the case. Other names are filled in when the trial is played.
   * @param definition name of the schema definition that the result must match
   */
  const fill = (template: Json, at: Path, definition?: string): Json => {
    names.checkTemplate(template, at);
    const filled = fillCaseValues(template, caseValues);
    if (definition !== undefined) checkSchema(source, SCHEMA, filled, definition, at);
    return filled;
  };

  const faultOf = (template: Json, at: Path): ScriptedFault => {
    const filled = fill(template, at, "disturbance") as Fields;
    const { on, for: actor, during, nth = "each", optional = false, ...fault } = filled;
    const launch = launchNamed(during as string | undefined, [...at, "during"]);
    return {
      operation: on as ScriptedFault["operation"],
      ...(actor === undefined ? {} : { actor: String(actor) }),
      ...(launch && { step: launch.step }),
      ...rangeOf(String(nth)),
      isOptional: optional === true,
      fault,
    };
  };

  const launchOf = (written: Fields, step: string, at: Path): LaunchStep => {
    const { launch = {}, as, expect = "draft" } = written as unknown as LaunchEntry;
    const { by = "alice", token = {}, again, id } = launch;
    const earlier = launchNamed(again, [...at, "launch", "again"]);
    const compiled = {
      ...(earlier ?? { actor: by, token, index: launchCount++, ...(id !== undefined && { id }) }),
      place: { file: source.file, line: source.line(at) },
      step,
      isRepeat: again !== undefined,
      expected: expect.split(" | ") as ResultKind[],
    };
    if (as !== undefined) {
      names.capture(as, [...at, "as"]);
      named.set(as, compiled);
    }
    return compiled;
  };

  const stepOf = (template: Fields, index: number): TrialStep => {
    const at = [...path, "steps", index];
    const step = fill(template, at, "step") as Fields;
    const number = String(index + 1);
    const { advance, restart, together } = step;
    if (advance !== undefined) return { kind: "advance", ms: parseDuration(String(advance)) ?? 0 };
    if (restart === true) return { kind: "restart" };
    if (together === undefined) return { kind: "launches", launches: [launchOf(step, number, at)] };
    const launches = (together as readonly Fields[]).map((one, position) =>
      launchOf(one, `${number}.${position + 1}`, [...at, "together", position]),
    );
    return { kind: "launches", launches };
  };

  const script = steps.map(stepOf);
  const trial: Trial = {
    ...{ id, title, rules, place },
    needs: [],
    capacity: fill(capacity, [...path, "capacity"]) as Trial["capacity"],
    basePath: String(fill(entry["base-path"] ?? "", [...path, "base-path"])),
    ...(deadline !== undefined && { deadlineMs: parseDuration(deadline) ?? 0 }),
    faults: service.map((fault, index) => faultOf(fault, [...path, "service", index])),
    script,
  };
  names.checkUse();
  return trial;
}

/** Returns the first and the last number of a range: `2`, `2..`, `1..3`, or `each`. */
function rangeOf(text: string): Pick<ScriptedFault, "first" | "last"> {
  const [, first = "1", dots, last] = /^(\d+)(\.\.)?(\d+)?$/.exec(text) ?? [];
  const isOpen = text === "each" || dots !== undefined;
  return { first: Number(first), last: Number(last ?? (isOpen ? Number.MAX_SAFE_INTEGER : first)) };
}
