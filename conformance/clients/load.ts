import { join } from "node:path";
import type { Fields, Json, JsonObject } from "../adapters/json.ts";
import type { Contract } from "../contract/contract.ts";
import type { Path } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { checkSchema } from "../contract/schema-check.ts";
import { parseDuration } from "../suite/compile.ts";
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
  return loadSuites(files ?? suiteFiles(join(DATA_FOLDER, "client-suites")), contract, {
    schema: SCHEMA,
    compile: (from: CaseSource<TrialEntry>) => new TrialCompiler(from).compile(),
  });
}

/** A trial as written in a suite (schema: `client-suite.schema.json`). */
interface TrialEntry extends SuiteEntry {
  readonly capacity?: Fields;
  readonly service?: readonly Json[];
  readonly steps: readonly Fields[];
}

interface LaunchEntry {
  readonly launch: { readonly by?: string; readonly token?: JsonObject; readonly again?: string };
  readonly as?: string;
  readonly expect?: string;
}

class TrialCompiler {
  readonly #from: CaseSource<TrialEntry>;
  readonly #names: Names;
  /** Launches that have a name. */
  readonly #named = new Map<string, LaunchStep>();
  #launchCount = 0;

  constructor(from: CaseSource<TrialEntry>) {
    this.#from = from;
    this.#names = new Names(from, FORM_NAMES);
  }

  compile(): Trial {
    const { entry, path, id, title, rules, place, caseValues } = this.#from;
    const { capacity = {}, service = [], steps } = entry;
    const trial: Trial = {
      ...{ id, title, rules, place },
      clock: "between-seconds",
      needs: [],
      caseValues,
      steps: [],
      capacity: this.#fill(capacity, [...path, "capacity"]) as Trial["capacity"],
      faults: service.map((fault, index) => this.#fault(fault, [...path, "service", index])),
      script: steps.map((step, index) => this.#step(step, index, [...path, "steps", index])),
    };
    this.#names.checkUse();
    return trial;
  }

  /**
   * Fills in the values of the case. Other names are filled in when the trial is played.
   * @param definition name of the definition in the suite's schema that the result must match
   */
  #fill(template: Json, path: Path, definition?: string): Json {
    this.#names.checkTemplate(template, path);
    const filled = fillCaseValues(template, this.#from.caseValues);
    if (definition !== undefined) checkSchema(this.#from.source, SCHEMA, filled, definition, path);
    return filled;
  }

  #fault(template: Json, path: Path): ScriptedFault {
    const filled = this.#fill(template, path, "disturbance") as Fields;
    const { on, for: actor, nth = "each", optional = false, ...fault } = filled;
    return {
      operation: on as ScriptedFault["operation"],
      ...(actor === undefined ? {} : { actor: String(actor) }),
      ...rangeOf(String(nth)),
      isOptional: optional === true,
      fault,
    };
  }

  #step(template: Fields, index: number, path: Path): TrialStep {
    const step = this.#fill(template, path, "step") as Fields;
    const number = String(index + 1);
    const { advance, restart, together } = step;
    if (advance !== undefined) return { kind: "advance", ms: parseDuration(String(advance)) ?? 0 };
    if (restart === true) return { kind: "restart" };
    if (together === undefined) return { kind: "launches", launches: [this.#launch(step, number, path)] };
    const launches = (together as readonly Fields[]).map((entry, position) =>
      this.#launch(entry, `${number}.${position + 1}`, [...path, "together", position]),
    );
    return { kind: "launches", launches };
  }

  #launch(entry: Fields, step: string, path: Path): LaunchStep {
    const { source } = this.#from;
    const { launch = {}, as, expect = "draft" } = entry as unknown as LaunchEntry;
    const { by = "alice", token = {}, again } = launch;
    const earlier = this.#named.get(again?.slice(1) ?? "");
    if (again !== undefined && earlier === undefined)
      source.addFault([...path, "launch", "again"], `no earlier launch has the name ${again}`);
    const compiled = {
      ...(earlier ?? { actor: by, token, index: this.#launchCount++ }),
      place: { file: source.file, line: source.line(path) },
      step,
      isRepeat: again !== undefined,
      expected: expect.split(" | ") as ResultKind[],
    };
    if (as !== undefined) {
      this.#names.capture(as, [...path, "as"]);
      this.#named.set(as, compiled);
    }
    return compiled;
  }
}

/** Returns the first and the last number of a range: `2`, `2..`, `1..3`, or `each`. */
function rangeOf(text: string): Pick<ScriptedFault, "first" | "last"> {
  const [, first = "1", dots, last] = /^(\d+)(\.\.)?(\d+)?$/.exec(text) ?? [];
  const isOpen = text === "each" || dots !== undefined;
  return { first: Number(first), last: Number(last ?? (isOpen ? Number.POSITIVE_INFINITY : first)) };
}
