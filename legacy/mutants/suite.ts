/** The mutant suites: services and clients that break rules in a known way, and conforming ones unlike the bundled ones. */
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { CLIENT_RULE_BOOK_PATHS, clientRuleBook } from "../contract/client/client-rule-book.ts";
import { RULE_BOOK_PATHS, ruleBook } from "../contract/rule-book.ts";
import { SEARCHES } from "../contract/searches.ts";
import { PREPARED } from "../engine/data/prepared.ts";
import { checkSchema, suggestion } from "../engine/data/schema.ts";
import type { YamlPath } from "../engine/data/yaml-places.ts";
import { readYaml, type YamlSource } from "../engine/data/yaml-source.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { propertyId } from "../engine/search/property-result.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { PATHS, shownKitPath } from "../paths.ts";

/** A change to the source of a program: text that must occur exactly once in it, and what replaces it. */
export interface Edit {
  /** Name of a file of the program, for text that others contain, too. */
  readonly in?: string;
  readonly replace: string;
  readonly with: string;
  /** What `with` needs and its file may not import yet: `name` of another file of the program, or `name from package`. */
  readonly imports?: readonly string[];
}

/** An edit with the place in the suite that it comes from. */
export interface PlacedEdit extends Edit {
  readonly place: SourcePlace;
}

interface Entry {
  /** `area/slug`. */
  readonly id: string;
  /** What is different, in the present tense. */
  readonly title: string;
  readonly edits: readonly PlacedEdit[];
  readonly place: SourcePlace;
  /** How a client reaches the service; in its own process by default. */
  readonly over?: "http";
}

/** A service or client that breaks rules in one way that has a name. */
export interface Mutant extends Entry {
  /** How a developer comes to make that mistake. */
  readonly why: string;
  /** The rules that must be seen to fail; the mutant is the first one's own. */
  readonly breaks: readonly string[];
  /** Id of the property that has to find a service, where no vector does. */
  readonly property?: string;
  /** Whether a client's own rule is the only required one that sees it. */
  readonly alone?: true;
}

/** A service or client that takes other readings of the contract than the bundled one, and conforms. */
export interface ConformingVariant extends Entry {
  /** The open points on which it must be seen to differ from the bundled one, all of them, with the reading seen. */
  readonly choices: Readonly<Record<string, string>>;
  /** The required rules that its run leaves untested, all of them: the service has too little capacity for them, say. */
  readonly untried?: readonly string[];
  /** Ids of variants that contradict this one: never drawn together. */
  readonly apart?: readonly string[];
}

/** The mutants and conforming variants of one side. */
export interface MutantSuite {
  readonly broken: readonly Mutant[];
  readonly legal: readonly ConformingVariant[];
}

/** Which implementations a suite holds: edits of the bundled reference, or of the example client. */
export type Side = "services" | "clients";

/** Name under which the build prepares the suite of a side. */
export const PREPARED_MUTANTS: Readonly<Record<Side, string>> = {
  services: "bank",
  clients: "client-bank",
};

const KINDS = ["broken", "legal"] as const;
type Kind = (typeof KINDS)[number];

const SIDES = {
  services: { folder: PATHS.bank, ruleBook, ruleBookPaths: RULE_BOOK_PATHS },
  clients: {
    folder: join(PATHS.bank, "clients"),
    ruleBook: clientRuleBook,
    ruleBookPaths: CLIENT_RULE_BOOK_PATHS,
  },
} as const;

/** The suites by the rule book that they were checked against: each is read once. */
const loaded = new WeakMap<RuleBook, MutantSuite>();

/**
 * Returns the mutants and conforming variants of a side.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an unknown rule, point or reading, a
 *   rule that no test can show, or a duplicate id
 */
export function loadMutants(side: Side, contract: RuleBook): MutantSuite {
  const suite = loaded.get(contract) ?? preparedMutants(side, contract) ?? readMutants(side, contract);
  loaded.set(contract, suite);
  return suite;
}

/** Files that the suite of a side is made of: its own, and those of the rules. */
export function mutantSources(side: Side): readonly string[] {
  const own = KINDS.flatMap((kind) => [schemaOf(side, kind), ...yamlFiles(side, kind)]);
  return [...own, ...SIDES[side].ruleBookPaths];
}

/** YAML files of the mutants or conforming variants of a side, by name. */
export function yamlFiles(side: Side, kind: Kind): readonly string[] {
  const folder = join(SIDES[side].folder, kind);
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.sort().map((name) => join(folder, name));
}

function schemaOf(side: Side, kind: Kind): string {
  return join(SIDES[side].folder, `${kind}.schema.json`);
}

function preparedMutants(side: Side, { rules }: RuleBook): MutantSuite | undefined {
  if (rules !== SIDES[side].ruleBook().rules) return undefined;
  const packed = PREPARED.value(PREPARED_MUTANTS[side], () => mutantSources(side)) as MutantSuite | undefined;
  return packed === undefined ? undefined : unpackMutants(packed);
}

/** Returns the suite with places by their file below the suites' folder, wherever that is: as the build stores it. */
export function packMutants(suite: MutantSuite): MutantSuite {
  return withPlaces(suite, ({ file, line }) => ({ file: relative(PATHS.bank, resolve(file)), line }));
}

/** Returns a packed suite with its files as people are shown them now. */
export function unpackMutants(packed: MutantSuite): MutantSuite {
  return withPlaces(packed, ({ file, line }) => ({ file: shownKitPath(join(PATHS.bank, file)), line }));
}

function withPlaces(suite: MutantSuite, moved: (place: SourcePlace) => SourcePlace): MutantSuite {
  const placed = <Moved extends Entry>(entry: Moved): Moved => {
    const edits = entry.edits.map((edit) => ({ ...edit, place: moved(edit.place) }));
    return { ...entry, place: moved(entry.place), edits };
  };
  return { broken: suite.broken.map(placed), legal: suite.legal.map(placed) };
}

function readMutants(side: Side, contract: RuleBook): MutantSuite {
  return {
    broken: entriesIn<Mutant>(side, "broken", (source, at, mutant) => {
      for (const [position, rule] of mutant.breaks.entries())
        checkRule(source, [...at, "breaks", position], rule, contract);
      const { property } = mutant;
      return property === undefined ? mutant : { ...mutant, property: knownProperty(source, at, property) };
    }),
    legal: entriesIn<ConformingVariant>(side, "legal", (source, at, variant) => {
      for (const [position, rule] of (variant.untried ?? []).entries())
        checkRule(source, [...at, "untried", position], rule, contract);
      for (const [point, readings] of Object.entries(variant.choices))
        checkChoice(source, [...at, "choices", point], point, readings, contract);
      const { apart } = variant;
      return apart === undefined ? variant : { ...variant, apart: apart.map((slug) => `legal/${slug}`) };
    }),
  };
}

/** Entries of every file of a kind, with whole ids and the places where they stand. */
function entriesIn<Read extends Entry>(
  side: Side,
  kind: Kind,
  checked: (source: YamlSource, at: YamlPath, entry: Read) => Read,
): readonly Read[] {
  return yamlFiles(side, kind).flatMap((file) => {
    const source = readYaml(file);
    checkSchema(source, schemaOf(side, kind));
    const { area = "legal", entries } = source.value as { area?: string; entries: readonly Read[] };
    const seen = new Set<string>();
    return entries.map((entry, index) => {
      const at: YamlPath = ["entries", index];
      if (seen.has(entry.id)) throw source.error([...at, "id"], `duplicate id "${entry.id}"`);
      seen.add(entry.id);
      if (/\bshould\b/i.test(entry.title))
        throw source.error([...at, "title"], `a title states what the program does: leave out "should"`);
      const placeAt = (path: YamlPath) => ({ file: source.file, line: source.position(path).line });
      const edits = entry.edits.map((edit, place) => ({ ...edit, place: placeAt([...at, "edits", place]) }));
      return { ...checked(source, at, entry), id: `${area}/${entry.id}`, place: placeAt(at), edits };
    });
  });
}

function checkRule(source: YamlSource, at: YamlPath, id: string, contract: RuleBook): void {
  const rule = contract.rules.get(id);
  if (rule === undefined)
    throw source.error(at, `unknown rule "${id}"${suggestion(id, contract.rules.keys())}`);
  if (!rule.observable || rule.level === "open") throw source.error(at, `no test can show ${id} broken`);
}

function checkChoice(source: YamlSource, at: YamlPath, id: string, readings: string, contract: RuleBook) {
  const point = contract.points.get(id);
  if (point === undefined)
    throw source.error(at, `unknown open point "${id}"${suggestion(id, contract.points.keys())}`);
  const known = point.readings.map((reading) => reading.id);
  for (const reading of readings.split(" | "))
    if (!known.includes(reading))
      throw source.error(at, `"${reading}" is no reading of ${id}${suggestion(reading, known)}`);
}

/** Returns the id of a property by its name. */
function knownProperty(source: YamlSource, at: YamlPath, name: string): string {
  const property = SEARCHES.properties.find((known) => known.name === name);
  if (property !== undefined) return propertyId(property);
  const names = SEARCHES.properties.map((known) => known.name);
  throw source.error([...at, "property"], `unknown property "${name}"${suggestion(name, names)}`);
}
