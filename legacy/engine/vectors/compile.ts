import type { Contract } from "../contract.ts";
import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import type { YamlSource } from "../data/yaml-source.ts";
import { checkRules } from "./compile-context.ts";
import { compileSteps } from "./compile-steps.ts";
import { NameCheck } from "./name-check.ts";
import type { Need } from "./need.ts";
import { needsOf, totalWait } from "./needs.ts";
import type { ClockStart, Fields, Step, Vector } from "./vector.ts";

interface VectorEntry {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly clock?: ClockStart;
  readonly needs?: readonly Need[];
  readonly cases?: Readonly<Record<string, Fields>>;
  readonly steps: readonly unknown[];
}

/** Where the clock of a vector stands that does not say it. */
const USUAL_START: ClockStart = "between-seconds";

/**
 * Turns one entry of a suite into vectors: one, or one for each row of its `cases`.
 * @throws {DataError} for an unknown rule, point, name, actor, reading or column, and for a name that nothing uses
 */
export function compileVector(
  source: YamlSource,
  suite: string,
  index: number,
  contract: Contract,
): readonly Vector[] {
  const path: YamlPath = ["vectors", index];
  const entry = (source.value as { vectors: VectorEntry[] }).vectors[index] as VectorEntry;
  if (/\b(should|test(s|ed)? that)\b/i.test(entry.title)) {
    throw source.error(
      [...path, "title"],
      `a title states what the service does: leave out "should" and "test that"`,
    );
  }
  checkRules(source, contract, entry.rules, [...path, "rules"]);
  const rows: readonly (readonly [string | undefined, Fields])[] =
    entry.cases === undefined ? [[undefined, {}]] : Object.entries(entry.cases);
  const columnsRead = new Set<string>();
  const classified = classifiedPoints(entry.steps);
  const vectors = rows.map(([row, columns]): Vector => {
    const rowPath: YamlPath = row === undefined ? path : [...path, "cases", row];
    const names = new NameCheck(source, contract.vocabulary, columns, columnsRead);
    const context = { source, contract, names, classified, row: columns, rowPath };
    const steps: readonly Step[] = compileSteps(context, entry.steps, [...path, "steps"]);
    names.finish();
    const rules = (columns["rules"] as readonly string[] | undefined) ?? entry.rules;
    if (columns["rules"] !== undefined) checkRules(source, contract, rules, [...rowPath, "rules"]);
    const clock = (columns["clock"] as ClockStart | undefined) ?? entry.clock ?? USUAL_START;
    return {
      id: [suite, entry.id, ...(row === undefined ? [] : [row])].join("/"),
      suite,
      title: entry.title,
      rules,
      place: {
        file: source.file,
        line: source.keyPosition(row === undefined ? [...path, "id"] : rowPath).line,
      },
      clock,
      needs: new Set([...(entry.needs ?? []), ...needsOf(steps, columns, clock, contract.vocabulary)]),
      totalWaitMs: totalWait(steps, columns),
      row: columns,
      steps,
    };
  });
  checkColumns(source, path, rows, columnsRead);
  return vectors;
}

function checkColumns(
  source: YamlSource,
  path: YamlPath,
  rows: readonly (readonly [string | undefined, Fields])[],
  columnsRead: ReadonlySet<string>,
): void {
  for (const [row, columns] of rows) {
    const unused = Object.keys(columns).find(
      (name) => !columnsRead.has(name) && name !== "rules" && name !== "clock",
    );
    if (row !== undefined && unused !== undefined) {
      throw source.error(
        [...path, "cases", row, unused],
        `no step reads $case.${unused}${suggestion(unused, columnsRead)}`,
      );
    }
  }
}

/** The open points that a `classify` among the steps settles. */
function classifiedPoints(steps: readonly unknown[]): ReadonlySet<string> {
  const points = steps.map(
    (step) => (step as { readonly classify?: { readonly open: string } }).classify?.open,
  );
  return new Set(points.filter((point) => point !== undefined));
}
