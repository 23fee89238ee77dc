import { join } from "node:path";
import type { Fields, Json, JsonObject } from "../adapters/json.ts";
import { ROUTES } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import type { Path } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { parseOutcome } from "../contract/outcome.ts";
import { unknown } from "../contract/schema-check.ts";
import { parseDuration } from "../suite/compile.ts";
import { type CaseSource, loadSuites, suiteFiles } from "../suite/load.ts";
import { Names } from "../suite/names.ts";
import { fillCaseValues } from "../suite/template.ts";
import { BEARER_FORMS } from "./forms/bearer-forms.ts";
import { JSON_SPELLINGS } from "./forms/json-spellings.ts";
import { MESSAGE_LAYOUTS } from "./forms/message-layouts.ts";
import { TIMESTAMP_FORMS } from "./forms/timestamp-forms.ts";
import { TRANSACTION_FORMS } from "./forms/transaction-forms.ts";
import {
  ACTOR_NAMES,
  type Fault,
  type LaunchStep,
  RESULT_KINDS,
  type ResultKind,
  type ScriptedFault,
  type Trial,
  type TrialStep,
} from "./trial.ts";

const CONTRACT_FOLDER = join(DATA_FOLDER, "contract");

/**
 * Loads the trials of the given files, or all, in the order of implementing a client.
 * @throws {DataError} with all faults of all files, each with file:line:column
 */
export function loadTrials(contract: Contract, files?: readonly string[]): readonly Trial[] {
  return loadSuites(files ?? suiteFiles(join(DATA_FOLDER, "client-suites")), contract, {
    schema: join(CONTRACT_FOLDER, "client-suite.schema.json"),
    compile: (from: CaseSource<TrialEntry>) => new TrialCompiler(from).compile(),
  });
}

/** A trial as written in a suite (schema: `client-suite.schema.json`). */
interface TrialEntry {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly cases?: Readonly<Record<string, Fields>>;
  readonly capacity?: Fields;
  readonly service?: readonly Json[];
  readonly steps: readonly Fields[];
}

interface LaunchEntry {
  readonly launch: { readonly by?: string; readonly token?: JsonObject; readonly again?: string };
  readonly as?: string;
  readonly expect?: string;
}

/** Tables of the forms that a fault can name. */
const FORMS: Readonly<Record<string, object>> = {
  message: MESSAGE_LAYOUTS,
  timestamps: TIMESTAMP_FORMS,
  bearer: BEARER_FORMS,
  transaction: TRANSACTION_FORMS,
  spelling: JSON_SPELLINGS,
};

/** What a member of a fault must be after the columns of the case are filled in. */
const MEMBERS: Readonly<Record<keyof Fault, (value: unknown) => boolean>> = {
  refuse: (value) => typeof parseOutcome(String(value)) === "object",
  status: Number.isInteger,
  effect: (value) => typeof value === "boolean",
  lose: (value) => value === "request" || value === "answer",
  delay: isDuration,
  pass: isDuration,
  restart: (value) => value === true,
  message: (value) => typeof value === "string",
  timestamps: (value) => typeof value === "string",
  bearer: (value) => typeof value === "string",
  transaction: (value) => typeof value === "string",
  spelling: (value) => typeof value === "string",
  add: (value) => typeof value === "object",
  set: (value) => typeof value === "object",
  headers: (value) => typeof value === "object",
};

function isDuration(value: unknown): boolean {
  return parseDuration(String(value)) !== undefined;
}

class TrialCompiler {
  readonly #from: CaseSource<TrialEntry>;
  readonly #names: Names;
  /** Launches that have a name. */
  readonly #named = new Map<string, LaunchStep>();
  #launchCount = 0;

  constructor(from: CaseSource<TrialEntry>) {
    this.#from = from;
    this.#names = new Names(from.source, from.caseValues, from.columnsRead);
  }

  compile(): Trial {
    const { source, entry, id, path, caseValues, casePath } = this.#from;
    const { title, capacity = {}, service = [], steps } = entry;
    const rules = (caseValues["rules"] as readonly string[] | undefined) ?? entry.rules;
    this.#checkRules(entry.rules, [...path, "rules"]);
    if (rules !== entry.rules) this.#checkRules(rules, [...casePath, "rules"]);
    const trial: Trial = {
      id,
      title,
      rules,
      place: { file: source.file, line: source.line(casePath) },
      clock: "between-seconds",
      needs: new Set(),
      caseValues,
      steps: [],
      capacity: this.#fill(capacity, [...path, "capacity"]) as Trial["capacity"],
      faults: service.map((fault, index) => this.#fault(fault, [...path, "service", index])),
      script: steps.map((step, index) => this.#step(step, index, [...path, "steps", index])),
    };
    this.#names.checkUse();
    return trial;
  }

  /** Fills in the columns of the case. Other names are filled in when the trial is played. */
  #fill(template: Json, path: Path): Json {
    this.#names.checkTemplate(template, path);
    return fillCaseValues(template, this.#from.caseValues);
  }

  #fault(template: Json, path: Path): ScriptedFault {
    const filled = this.#fill(template, path) as Fields;
    const { on, for: actor, nth = "each", optional = false, ...fault } = filled;
    const operations = [...Object.keys(ROUTES), "every"];
    if (!operations.includes(String(on)))
      this.#addFault(path, "on", unknown("operation", `${on}`, operations));
    if (actor !== undefined) this.#checkActor(String(actor), [...path, "for"]);
    for (const [name, value] of Object.entries(fault)) {
      const forms = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
      if (forms !== undefined && !Object.hasOwn(forms, String(value)))
        this.#addFault(path, name, unknown(`form of "${name}"`, String(value), Object.keys(forms)));
      else if (!Object.hasOwn(MEMBERS, name))
        this.#addFault(path, name, unknown("member", name, Object.keys(MEMBERS)));
      else if (!MEMBERS[name as keyof Fault](value))
        this.#addFault(path, name, `"${name}" cannot be ${JSON.stringify(value)}`);
    }
    return {
      operation: on as ScriptedFault["operation"],
      ...(actor === undefined ? {} : { actor: String(actor) }),
      ...this.#range(String(nth), path),
      isOptional: optional === true,
      fault,
    };
  }

  /** Reads a range of numbers: `2`, `2..`, `1..3`, or `each`. */
  #range(text: string, path: Path): Pick<ScriptedFault, "first" | "last"> {
    if (text === "each") return { first: 1, last: Number.POSITIVE_INFINITY };
    const [, first, dots, last] = /^([1-9]\d*)(\.\.)?([1-9]\d*)?$/.exec(text) ?? [];
    if (first === undefined || (dots === undefined && last !== undefined))
      this.#addFault(path, "nth", `nth must be such as 2, 2.., 1..3, or each, got ${text}`);
    const open = dots === undefined ? Number(first) : Number.POSITIVE_INFINITY;
    return { first: Number(first), last: last === undefined ? open : Number(last) };
  }

  #step(step: Fields, index: number, path: Path): TrialStep {
    const number = String(index + 1);
    if (step["advance"] !== undefined) {
      const text = this.#fill(step["advance"], [...path, "advance"]);
      const ms = parseDuration(String(text));
      if (ms === undefined) this.#addFault(path, "advance", `"${text}" is not a duration; write 30s or 1h`);
      return { kind: "advance", ms: ms ?? 0 };
    }
    if (step["restart"] === true) return { kind: "restart" };
    const together = step["together"] as readonly Fields[] | undefined;
    if (together === undefined) return { kind: "launches", launches: [this.#launch(step, number, path)] };
    const launches = together.map((entry, position) =>
      this.#launch(entry, `${number}.${position + 1}`, [...path, "together", position]),
    );
    return { kind: "launches", launches };
  }

  #launch(entry: Fields, step: string, path: Path): LaunchStep {
    const { launch, as, expect = "draft" } = this.#fill(entry, path) as unknown as LaunchEntry;
    const { by = "alice", token = {}, again } = launch ?? {};
    this.#checkActor(by, [...path, "launch", "by"]);
    const expected = expect.split(/\s*\|\s*/) as ResultKind[];
    for (const kind of expected)
      if (!RESULT_KINDS.includes(kind)) this.#addFault(path, "expect", unknown("result", kind, RESULT_KINDS));
    const earlier = again === undefined ? undefined : this.#named.get(again.slice(1));
    if (again !== undefined && earlier === undefined)
      this.#addFault([...path, "launch"], "again", `no earlier launch has the name ${again}`);
    const { source } = this.#from;
    const compiled = {
      ...(earlier ?? { actor: by, token, index: this.#launchCount++ }),
      place: { file: source.file, line: source.line(path) },
      step,
      isRepeat: again !== undefined,
      expected,
    };
    if (as !== undefined) {
      this.#names.capture(as, [...path, "as"]);
      this.#named.set(as, compiled);
    }
    return compiled;
  }

  #checkActor(name: string, path: Path): void {
    if (!ACTOR_NAMES.some((known) => known === name))
      this.#from.source.addFault(path, unknown("actor", name, ACTOR_NAMES));
  }

  #checkRules(rules: readonly string[], path: Path): void {
    const { contract, source } = this.#from;
    for (const [index, id] of rules.entries())
      if (contract.rules.get(id)?.observable !== true)
        source.addFault([...path, index], unknown("rule that tests can observe", id, contract.rules.keys()));
  }

  #addFault(path: Path, member: string, message: string): void {
    this.#from.source.addFault([...path, member], message);
  }
}
