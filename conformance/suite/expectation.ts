import { join } from "node:path";
import type { Reading } from "../contract/contract.ts";
import { type Outcome, parseOutcome } from "../contract/outcome.ts";
import { codesOf } from "../contract/response-schemas.ts";
import type { Path } from "../data/data-file.ts";
import { type Fields, isObject, type Json, sameJson, valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { checkKnown, checkSchema } from "../data/schema-check.ts";
import type { CaseSource, Names } from "./names.ts";
import { caseReference, fillCaseValues } from "./template.ts";
import type { AcceptedOutcome, Expectation } from "./vector.ts";

/** Placeholder for an invalid outcome. A vector with this fault is never played. */
const NO_OUTCOME: Outcome = { status: 0, codes: [] };

export const SUITE_SCHEMA = join(DATA_FOLDER, "contract", "suite.schema.json");

/** Compiles the expectations and outcomes of one vector. Reports each fault in the file. */
export class ExpectationCompiler {
  readonly #from: CaseSource<unknown>;
  readonly #names: Names;
  /** IDs of the open points whose readings a `classify` step of the vector determines. */
  readonly #classified: ReadonlySet<unknown>;

  constructor(from: CaseSource<{ readonly steps: readonly Fields[] }>, names: Names) {
    this.#from = from;
    this.#names = names;
    this.#classified = new Set(from.entry.steps.map((step) => valueAt(step, ["classify", "open"])));
  }

  /**
   * Compiles the short or the long form of an `expect`.
   * @param members names of the values of the response (default: any)
   */
  compile(entry: Json, entryPath: Path, members?: readonly string[]): Expectation {
    const [value, path] = this.#resolve(entry, entryPath);
    const { source, caseValues } = this.#from;
    const isOfCase = path !== entryPath;
    const faults = isOfCase ? checkSchema(source, SUITE_SCHEMA, value, "expectation", path) : [];
    if (faults.length > 0) return { accepted: [] };
    if (!isObject(value)) return this.#shortForm(value as string | number, path);
    const { is, any, open, body, "same-as": sameAs } = value as Fields & { open?: string };
    const allowedBy = value["allowed-by"];
    if (is !== undefined && any !== undefined)
      source.addFault(path, '"is" and "any" exclude each other; remove one');
    for (const [name, template] of Object.entries((body ?? {}) as Fields)) {
      const at = [...path, "body", name];
      const member = name.split(".")[0] ?? "";
      if (members !== undefined) checkKnown(source, at, "value", member, members, "of the response");
      this.#names.checkTemplate(template, at);
    }
    this.#names.checkTemplate(sameAs ?? null, [...path, "same-as"]);
    return {
      ...(any === undefined
        ? this.#shortForm(...(this.#resolve(is ?? 200, [...path, "is"]) as [number, Path]))
        : this.#alternatives(any, open ?? String(allowedBy), allowedBy !== undefined, path)),
      ...(body === undefined ? {} : { body: fillCaseValues(body, caseValues) as Fields }),
      ...(sameAs === undefined ? {} : { sameAs: String(sameAs).slice(1) }),
    };
  }

  /** Replaces `$case.column` by the value of the column. Returns the value and its place. */
  #resolve(value: Json, path: Path): readonly [Json, Path] {
    const reference = caseReference(value);
    if (reference === undefined) return [value, path];
    this.#names.checkTemplate(value, path);
    return [fillCaseValues(value, this.#from.caseValues), [...this.#from.casePath, ...reference]];
  }

  /** Compiles an outcome, or the ID of an open point whose readings all have an outcome. */
  #shortForm(value: string | number, path: Path): Expectation {
    const isOpenPoint = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*$/.test(String(value));
    if (!isOpenPoint) return { accepted: [this.outcome(value, path)] };
    const readings = this.openPoint(String(value), path);
    if (readings.some(({ outcome }) => outcome === undefined))
      this.#from.source.addFault(
        path,
        `not all readings of ${value} have an outcome; list the accepted outcomes under "any"`,
      );
    const accepted = readings.map(({ id, outcome = NO_OUTCOME }) => ({ ...outcome, reading: id }));
    return { accepted, open: String(value) };
  }

  /**
   * Compiles `any`: a map from readings of the open point to outcomes, or a list of outcomes. A listed
   * outcome shows no reading if a `classify` step determines the open point, or if no reading has an outcome.
   * @param isOnlyAllowed whether the open point allows the outcomes, which show none of its readings
   */
  #alternatives(any: Json, open: string, isOnlyAllowed: boolean, path: Path): Expectation {
    const readings = this.openPoint(open, [...path, isOnlyAllowed ? "allowed-by" : "open"]);
    const isList = Array.isArray(any);
    const showsNoReading =
      isOnlyAllowed ||
      (isList && (this.#classified.has(open) || readings.every(({ outcome }) => outcome === undefined)));
    const accepted = Object.entries(any as Fields).map(([name, text]): AcceptedOutcome => {
      const at = [...path, "any", name];
      const outcome = this.outcome(text as string, at);
      if (showsNoReading) return outcome;
      if (!isList) this.reading(open, name, at);
      const id = isList ? readings.find((reading) => sameJson(reading.outcome, outcome))?.id : name;
      if (id === undefined && outcome !== NO_OUTCOME)
        this.#from.source.addFault(at, `no reading of ${open} has the outcome "${text}"`);
      return { ...outcome, reading: id ?? "" };
    });
    return showsNoReading ? { accepted } : { accepted, open };
  }

  /** Parses an outcome. Reports a fault if the text is not an outcome, or if the status lacks the code. */
  outcome(text: string | number, path: Path): Outcome {
    const { source } = this.#from;
    const outcome = parseOutcome(text);
    if (typeof outcome === "string") {
      source.addFault(path, outcome);
      return NO_OUTCOME;
    }
    const { status, codes } = outcome;
    for (const code of codes)
      checkKnown(source, path, "code", code, codesOf(status) ?? [], `for status ${status}`);
    return outcome;
  }

  /** Returns the readings of an open point. Reports a fault if it is unknown, or if tests cannot observe it. */
  openPoint(id: string, path: Path): readonly Reading[] {
    const { source, contract } = this.#from;
    const point = contract.openPoints.get(id);
    checkKnown(source, path, "open point", id, contract.openPoints.keys());
    if (point?.observable === false) source.addFault(path, `tests cannot observe ${id}: ${point.reason}`);
    return point?.readings ?? [];
  }

  reading(open: string, id: string, path: Path): void {
    const point = this.#from.contract.openPoints.get(open);
    const known = point?.readings.map((reading) => reading.id) ?? [id];
    checkKnown(this.#from.source, path, "reading", id, known, `of ${open}`);
  }
}
