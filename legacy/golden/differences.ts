import { isObject } from "../engine/play/exchange.ts";
import { show } from "../engine/play/judgement.ts";
import { plainLine } from "../plain-text.ts";
import { INDEX_FILE, type JsonObject } from "./fixture.ts";
import { atPointer, describeMatch, escapePointer, type Matcher, matches } from "./matchers.ts";

/** A place at which two JSON values differ; undefined stands for a member that is not there. */
interface JsonDifference {
  /** JSON Pointer (RFC 6901); empty where the values differ as a whole. */
  readonly pointer: string;
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Every place at which two JSON values differ, as deep as both go on.
 * @param skip whether a place is set aside
 */
export function jsonDifferences(
  was: unknown,
  is: unknown,
  skip: (pointer: string) => boolean = () => false,
  pointer = "",
): readonly JsonDifference[] {
  if (skip(pointer) || Object.is(was, is)) return [];
  const lists = Array.isArray(was) && Array.isArray(is);
  if (!lists && !(isObject(was) && isObject(is))) return [{ pointer, was, is }];
  const [before, after] = [was, is] as unknown as readonly Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) =>
    jsonDifferences(before?.[name], after?.[name], skip, `${pointer}/${escapePointer(name)}`),
  );
}

/**
 * Where an answer departs from the recorded one, with what varies set aside as far as it matches.
 * @param same whether the same implementation answered: then only what varies from run to run is set aside, and it may
 *   not answer with more members than before
 */
export function answerDifferences(
  was: JsonObject,
  is: JsonObject,
  matchers: readonly Matcher[],
  same: boolean,
): readonly JsonDifference[] {
  const active = matchers.filter(({ varies }) => varies === "run" || !same);
  const aside = new Set(active.map(({ pointer }) => pointer));
  const found = jsonDifferences(was, is, (pointer) => aside.has(pointer)).filter(
    ({ was: before }) => same || before !== undefined,
  );
  return [...found, ...active.flatMap((matcher) => unmatched(matcher, is, same))];
}

function unmatched(matcher: Matcher, body: JsonObject, same: boolean): readonly JsonDifference[] {
  const { pointer, optional, match } = matcher;
  const value = atPointer(body, pointer);
  if (optional === true && (value === undefined || !same)) return [];
  // The wire format of a moment is left open: whatever another implementation writes is one.
  if (match === "timestamp" && !same && value !== undefined && value !== null) return [];
  return matches(matcher, value) ? [] : [{ pointer, was: describeMatch(matcher), is: value }];
}

/** A file that is not what it would be now, and how, in one line. */
interface Drift {
  readonly file: string;
  readonly line: string;
}

/**
 * Holds the files of a folder to those that would be written now, byte by byte.
 * @param found the texts of the folder's JSON files, by name
 */
export function fileDrift(
  found: ReadonlyMap<string, string>,
  made: ReadonlyMap<string, string>,
): readonly Drift[] {
  const names = [...new Set([...made.keys(), ...found.keys()])].filter(
    (name) => found.get(name) !== made.get(name),
  );
  // The index holds a digest of every file: where a file drifted, the index need not be told of for that alone.
  const others = names.filter((name) => name !== INDEX_FILE);
  const onlyDigests = others.length > 0 && sameIndex(found.get(INDEX_FILE), made.get(INDEX_FILE));
  return (onlyDigests ? others : names)
    .sort()
    .map((file) => ({ file, line: lineOf(found.get(file), made.get(file)) }));
}

/** The first of several differences in a line, each at its place: in an index, or in a step of a fixture. */
export function differencesLine(differences: readonly JsonDifference[]): string {
  const [first] = differences;
  if (first === undefined) return "the same values, written otherwise";
  const more = differences.length === 1 ? "" : ` (and ${differences.length - 1} more)`;
  const { pointer, was, is } = first;
  return plainLine(`${placeOf(pointer)}: was ${show(was, 100)}, is ${show(is, 100)}`, 300) + more;
}

function lineOf(found: string | undefined, made: string | undefined): string {
  if (made === undefined) return "no flow makes it any more";
  if (found === undefined) return "is missing";
  const was = parsed(found);
  return was === undefined ? "is no JSON" : differencesLine(jsonDifferences(was, parsed(made)));
}

/** `/steps/3/response/body/code` as `step 4, response.body.code`. */
function placeOf(pointer: string): string {
  const [first, index, ...rest] = pointer.split("/").slice(1);
  if (first !== "steps" || index === undefined) return pointer.slice(1).replaceAll("/", ".");
  const place = rest.join(".");
  return `step ${Number(index) + 1}${place === "" ? "" : `, ${place}`}`;
}

function sameIndex(found: string | undefined, made: string | undefined): boolean {
  const [was, is] = [parsed(found), parsed(made)];
  return (
    isObject(was) &&
    jsonDifferences(was, is, (pointer) => /^\/fixtures\/\d+\/sha256$/.test(pointer)).length === 0
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
