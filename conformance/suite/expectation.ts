import { join } from "node:path";
import { type Fields, isObject, type Json, sameJson } from "../adapters/json.ts";
import type { Contract, OpenPoint } from "../contract/contract.ts";
import type { DataFile, Path } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { type Outcome, parseOutcome } from "../contract/outcome.ts";
import { findSchemaFaults, unknown } from "../contract/schema-check.ts";
import type { Names } from "./names.ts";
import { caseReference, fillCaseValues } from "./template.ts";
import type { AcceptedOutcome, Expectation } from "./vector.ts";

/** The outcome that replaces one with a mistake. The fault keeps it from being used. */
const NO_OUTCOME: Outcome = { status: 0, codes: [] };

export const SUITE_SCHEMA = join(DATA_FOLDER, "contract", "suite.schema.json");

interface ExpectationContext {
  readonly source: DataFile;
  readonly contract: Contract;
  readonly names: Names;
  readonly caseValues: Fields;
  readonly casePath: Path;
  /** Open points that a `classify` step determines, so that single responses do not. */
  readonly classified: ReadonlySet<unknown>;
}

/** Compiles the expectations and outcomes of one vector. Adds a fault to the source for each mistake. */
export class ExpectationCompiler {
  readonly #context: ExpectationContext;

  constructor(context: ExpectationContext) {
    this.#context = context;
  }

  #addFault(path: Path, message: string): void {
    this.#context.source.addFault(path, message);
  }

  /** Compiles the short or the long form of an `expect`. */
  compile(entry: Json, entryPath: Path): Expectation {
    const [value, path] = this.#resolve(entry, entryPath);
    const faults = path === entryPath ? [] : findSchemaFaults(value, SUITE_SCHEMA, "expectation", path);
    for (const fault of faults) this.#addFault(fault.path, fault.message);
    if (faults.length > 0) return { accepted: [] };
    if (!isObject(value)) return this.#shortForm(value as string | number, path);
    const { is, any, open, body, "same-as": sameAs } = value as Fields & { open?: string };
    if (is !== undefined && any !== undefined)
      this.#addFault(path, '"is" and "any" exclude each other; remove one');
    if ("ends-unless" in value)
      this.#addFault([...path, "ends-unless"], '"ends-unless" is not supported; remove it');
    for (const [name, template] of Object.entries((body ?? {}) as Fields))
      this.#context.names.checkTemplate(template, [...path, "body", name]);
    this.#context.names.checkTemplate(sameAs ?? null, [...path, "same-as"]);
    return {
      ...(any === undefined
        ? this.#shortForm(...(this.#resolve(is ?? 200, [...path, "is"]) as [number, Path]))
        : this.#alternatives(any, open ?? "", path)),
      ...(body === undefined ? {} : { body: fillCaseValues(body, this.#context.caseValues) as Fields }),
      ...(sameAs === undefined ? {} : { sameAs: String(sameAs).slice(1) }),
    };
  }

  /** Replaces `$case.column` by the value of the column and its place. */
  #resolve(value: Json, path: Path): readonly [Json, Path] {
    const reference = caseReference(value);
    if (reference === undefined) return [value, path];
    this.#context.names.checkTemplate(value, path);
    return [fillCaseValues(value, this.#context.caseValues), [...this.#context.casePath, ...reference]];
  }

  /** Compiles an outcome, or an open point each of whose readings is an outcome. */
  #shortForm(value: string | number, path: Path): Expectation {
    const isOpenPoint = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*$/.test(String(value));
    if (!isOpenPoint) return { accepted: [this.outcome(value, path)] };
    const { readings } = this.openPoint(String(value), path) ?? { readings: [] };
    if (readings.some(({ outcome }) => outcome === undefined))
      this.#addFault(path, `not all readings of ${value} are outcomes; list the accepted outcomes in any`);
    const accepted = readings.map(({ id, outcome = NO_OUTCOME }) => ({ ...outcome, reading: id }));
    return { accepted, open: String(value) };
  }

  /**
   * Compiles `any`: outcomes by reading of the open point, or a list of outcomes. The outcomes of a list show
   * no readings if a `classify` step determines the open point or if no reading has an outcome.
   */
  #alternatives(any: Json, open: string, path: Path): Expectation {
    const { readings } = this.openPoint(open, [...path, "open"]) ?? { readings: [] };
    const isList = Array.isArray(any);
    const showsNoReading =
      isList &&
      (this.#context.classified.has(open) || readings.every(({ outcome }) => outcome === undefined));
    const accepted = Object.entries(any as Fields).map(([name, text]): AcceptedOutcome => {
      const at = [...path, "any", name];
      const outcome = this.outcome(text as string, at);
      if (showsNoReading) return outcome;
      if (!isList) this.reading(open, name, at);
      const id = isList ? readings.find((reading) => sameJson(reading.outcome, outcome))?.id : name;
      if (id === undefined && outcome !== NO_OUTCOME)
        this.#addFault(at, `"${text}" is not the outcome of a reading of ${open}`);
      return { ...outcome, reading: id ?? "" };
    });
    return showsNoReading ? { accepted } : { accepted, open };
  }

  /** Parses an outcome, whose codes must be those of its status. */
  outcome(text: string | number, path: Path): Outcome {
    const outcome = parseOutcome(text);
    if (typeof outcome === "string") {
      this.#addFault(path, outcome);
      return NO_OUTCOME;
    }
    const known = this.#context.contract.responses.codes(outcome.status) ?? [];
    for (const code of outcome.codes)
      if (!known.includes(code))
        this.#addFault(path, unknown("code", code, known, `for status ${outcome.status}`));
    return outcome;
  }

  /** Returns an observable open point, or undefined after adding a fault. */
  openPoint(id: string, path: Path): OpenPoint | undefined {
    const point = this.#context.contract.openPoints.get(id);
    if (point === undefined)
      this.#addFault(path, unknown("open point", id, this.#context.contract.openPoints.keys()));
    else if (!point.observable) this.#addFault(path, `tests cannot observe ${id}: ${point.reason}`);
    return point;
  }

  /** Checks that an open point has a reading. */
  reading(open: string, id: string, path: Path): void {
    const known = this.#context.contract.openPoints.get(open)?.readings.map((reading) => reading.id);
    if (known !== undefined && !known.includes(id))
      this.#addFault(path, unknown("reading", id, known, `of ${open}`));
  }
}
