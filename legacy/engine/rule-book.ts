import { join } from "node:path";
import { checkSchema, suggestion } from "./data/schema.ts";
import type { YamlPath } from "./data/yaml-places.ts";
import { readYaml, type YamlSource } from "./data/yaml-source.ts";
import { type Outcome, parseOutcome } from "./outcome.ts";

/** How binding a rule is (see docs/judging.md). */
export type Level = "required" | "open" | "advice";

/** One statement of the contract that binds a service. */
export interface Rule {
  readonly id: string;
  readonly area: string;
  /** Headings of the contract under which the statement stands. */
  readonly section: string;
  readonly level: Level;
  /** Whether something that must pass and something that must fail both exist. */
  readonly sides?: "both" | "one";
  readonly statement: string;
  /** The answer that the rule is about whatever was asked: a status and its code. */
  readonly answer?: string;
  readonly observable: boolean;
  /** Why no test from outside can show it, where it is not observable. */
  readonly reason?: string;
}

/** One accepted reading of an open point. */
export interface Reading {
  readonly id: string;
  readonly means?: string;
  /** Ids of the rules that are not tested where this reading is observed: what they are about cannot be read. */
  readonly hides?: readonly string[];
  /** The answer that shows this reading, where a single answer does. */
  readonly outcome?: Outcome;
}

/** Something that the contract leaves to the service. */
export interface OpenPoint {
  readonly id: string;
  readonly area: string;
  readonly section: string;
  readonly question: string;
  readonly readings: readonly Reading[];
  /** The bundled reference's reading, and why. */
  readonly reference: string;
  readonly why: string;
  readonly observable: boolean;
  readonly reason?: string;
}

/** A contract as data: its rules and what it leaves open, by id, in the order of the files. */
export interface RuleBook {
  readonly areas: ReadonlyMap<string, string>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly points: ReadonlyMap<string, OpenPoint>;
}

interface RuleEntry extends Omit<Rule, "observable"> {
  readonly observable?: boolean;
}
interface PointEntry extends Omit<OpenPoint, "observable" | "readings"> {
  readonly observable?: boolean;
  readonly readings: Readonly<
    Record<string, (Omit<Reading, "id" | "outcome"> & { outcome?: string | number }) | null>
  >;
}

/** Names of the files that a rule book is read from. */
export const RULE_BOOK_FILES = [
  "rules.yaml",
  "rules.schema.json",
  "open-points.yaml",
  "open-points.schema.json",
] as const;

/** A rule book as JSON can hold it. */
export interface PackedRuleBook {
  readonly areas: readonly (readonly [string, string])[];
  readonly rules: readonly Rule[];
  readonly points: readonly OpenPoint[];
}

/** For {@link unpackRuleBook}. */
export function packRuleBook({ areas, rules, points }: RuleBook): PackedRuleBook {
  return { areas: [...areas], rules: [...rules.values()], points: [...points.values()] };
}

/** The rule book that was packed. */
export function unpackRuleBook({ areas, rules, points }: PackedRuleBook): RuleBook {
  return {
    areas: new Map(areas),
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    points: new Map(points.map((point) => [point.id, point])),
  };
}

/**
 * Reads `rules.yaml` and `open-points.yaml` below `folder`.
 * @param schemas the folder of their schemas, where that is another
 * @throws {DataError} for a file that breaks its schema, a duplicate id, an unknown area or reading
 */
export function loadRuleBook(folder: string, schemas = folder): RuleBook {
  const rulesSource = readYaml(join(folder, "rules.yaml"));
  checkSchema(rulesSource, join(schemas, "rules.schema.json"));
  const { areas, rules } = rulesSource.value as { areas: Record<string, string>; rules: RuleEntry[] };
  const pointsSource = readYaml(join(folder, "open-points.yaml"));
  checkSchema(pointsSource, join(schemas, "open-points.schema.json"));
  const { points } = pointsSource.value as { points: PointEntry[] };
  const ruleById = byId(rulesSource, "rules", rules, areas, (rule) => ({
    ...rule,
    observable: rule.observable ?? true,
  }));
  return {
    areas: new Map(Object.entries(areas)),
    rules: ruleById,
    points: byId(pointsSource, "points", points, areas, (point, path) =>
      openPoint(pointsSource, point, path, ruleById),
    ),
  };
}

function byId<Entry extends { readonly id: string; readonly area: string }, Value>(
  source: YamlSource,
  list: string,
  entries: readonly Entry[],
  areas: Readonly<Record<string, string>>,
  make: (entry: Entry, path: YamlPath) => Value,
): ReadonlyMap<string, Value> {
  const made = new Map<string, Value>();
  for (const [index, entry] of entries.entries()) {
    const path = [list, index];
    if (made.has(entry.id)) throw source.error([...path, "id"], `duplicate id "${entry.id}"`);
    if (areas[entry.area] === undefined) {
      throw source.error(
        [...path, "area"],
        `unknown area "${entry.area}"${suggestion(entry.area, Object.keys(areas))}`,
      );
    }
    made.set(entry.id, make(entry, path));
  }
  return made;
}

function openPoint(
  source: YamlSource,
  entry: PointEntry,
  path: YamlPath,
  rules: ReadonlyMap<string, Rule>,
): OpenPoint {
  const readings = Object.entries(entry.readings).map(([id, written]): Reading => {
    const { outcome: text, ...rest } = written ?? {};
    const at = [...path, "readings", id];
    const unknown = rest.hides?.find((rule) => !rules.has(rule));
    if (unknown !== undefined) throw source.error([...at, "hides"], `unknown rule "${unknown}"`);
    if (text === undefined) return { id, ...rest };
    const outcome = parseOutcome(text);
    if (typeof outcome === "string") throw source.error([...at, "outcome"], outcome);
    return { id, ...rest, outcome };
  });
  if (!readings.some((reading) => reading.id === entry.reference)) {
    throw source.error([...path, "reference"], `"${entry.reference}" is none of the readings of ${entry.id}`);
  }
  return { ...entry, readings, observable: entry.observable ?? true };
}
