import type { Contract } from "../contract.ts";
import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import type { YamlSource } from "../data/yaml-source.ts";
import type { OpenPoint, RuleBook } from "../rule-book.ts";
import type { NameCheck } from "./name-check.ts";
import type { Fields } from "./vector.ts";

/** What the compilation of one vector carries along. */
export interface CompileContext {
  readonly source: YamlSource;
  readonly contract: Contract;
  readonly names: NameCheck;
  /** Points that a `classify` of this vector settles: no single answer is recorded as a reading of them. */
  readonly classified: ReadonlySet<string>;
  /** The row of `cases` in hand, and where it stands. */
  readonly row: Fields;
  readonly rowPath: YamlPath;
}

/** A load error for the first rule that does not exist, or that no test can show. */
export function checkRules(
  source: YamlSource,
  contract: RuleBook,
  rules: readonly string[],
  path: YamlPath,
): void {
  for (const [index, id] of rules.entries()) {
    const rule = contract.rules.get(id);
    if (rule === undefined) {
      throw source.error([...path, index], `unknown rule "${id}"${suggestion(id, contract.rules.keys())}`);
    }
    if (!rule.observable)
      throw source.error([...path, index], `rule ${id} is not observable: ${rule.reason ?? ""}`);
  }
}

/** The open point of that id, or a load error with a guess. */
export function requirePoint({ source, contract }: CompileContext, id: string, path: YamlPath): OpenPoint {
  const point = contract.points.get(id);
  if (point === undefined) {
    throw source.error(path, `unknown open point "${id}"${suggestion(id, contract.points.keys())}`);
  }
  if (!point.observable)
    throw source.error(path, `open point ${id} is not observable: ${point.reason ?? ""}`);
  return point;
}

/** A load error where the point has no such reading. */
export function requireReading(
  { source }: CompileContext,
  point: OpenPoint,
  reading: string,
  path: YamlPath,
): void {
  const known = point.readings.map(({ id }) => id);
  if (!known.includes(reading)) {
    throw source.error(path, `${point.id} has no reading "${reading}"${suggestion(reading, known)}`);
  }
}
