/** Compares the fixtures of a folder with a new recording of the same flows. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { formatOutcomes, matchesOutcome } from "../contract/outcome.ts";
import { DataError, readRegularFile, shownPath } from "../data/data-file.ts";
import { isObject, type JsonObject, parseJson, show, valueAt } from "../data/json.ts";
import {
  exchangesOf,
  type Fixture,
  fixtureFiles,
  INDEX_FILE,
  type Omission,
  type Recording,
  readFixture,
  readIndex,
} from "./fixture.ts";
import { escapeSegment, segmentsOf } from "./matchers.ts";

/** Maximum size of a fixture, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Result of the comparison of one file. */
export interface Comparison {
  readonly file: string;
  /** The first difference that neither the fixture nor the contract allows. */
  readonly drift?: string;
  /** Why the flow was not played to its end. */
  readonly skipped?: string;
  /** Responses that differ from the fixture as the contract allows. */
  readonly allowed?: readonly string[];
}

/**
 * Compares the JSON files of a folder with the files of a new recording. A file is missing if the index lists
 * it, or a flow creates it and the index does not say why it was left out.
 * @param isExact whether all files must be equal. If not, responses may differ as the contract allows.
 * @throws {DataError} if there are no fixtures, or a fixture does not match its schema
 */
export function compareFixtures(
  folder: string,
  recording: Recording,
  isExact: boolean,
): readonly Comparison[] {
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  if (found.length === 0) throw new DataError(`${shownPath(folder)}: there are no fixtures`);
  const made = fixtureFiles(recording);
  const { info, fixtures, failed, omitted } = recording;
  const index = readIndex(folder);
  const isSame =
    index.implementation.name === info.implementation.name &&
    index.implementation.version === info.implementation.version &&
    index.clock === info.capabilities.clock;
  const compare = (file: string): Omit<Comparison, "file"> => {
    const reasonIn = (flows: readonly Omission[]) =>
      flows.find(({ name }) => `${name}.json` === file)?.reason;
    const drift = reasonIn(failed);
    if (drift !== undefined) return { drift };
    if (!found.includes(file)) {
      const reason = reasonIn(index.omitted);
      return reason === undefined ? { drift: "is missing" } : { skipped: `there is no fixture: ${reason}` };
    }
    const skipped = reasonIn(omitted);
    if (skipped !== undefined) return { skipped };
    const text = made.get(file);
    if (text === undefined) return { drift: "no flow creates this file; delete it" };
    if (!isExact) return compareExchanges(readFixture(folder, file), JSON.parse(text), isSame);
    const was = parseJson(readRegularFile(join(folder, file), MAX_BYTES).toString());
    return driftOf(findDifferences(was, JSON.parse(text)));
  };
  // A flow that could be played neither for the fixtures nor now needs no fixture.
  const needed = omitted.filter(({ name }) => !index.omitted.some((one) => one.name === name));
  const expected = [...index.fixtures, ...fixtures, ...failed, ...needed].map(({ name }) => `${name}.json`);
  const files = [...new Set([INDEX_FILE, ...found, ...expected])].sort();
  return files.filter((file) => isExact || file !== INDEX_FILE).map((file) => ({ file, ...compare(file) }));
}

/**
 * Compares each response with the recorded one. A different outcome is not drift if the contract allows it.
 * The form of the new values is not compared, because every response is judged when it is recorded.
 * @param isSame whether the same implementation responded. If so, only values that vary from run to run may
 *   differ. If not, values that vary between implementations may also differ, and members may be added.
 */
function compareExchanges(fixture: Fixture, made: Fixture, isSame: boolean): Omit<Comparison, "file"> {
  const exchanges = [...exchangesOf(made)];
  const allowed: string[] = [];
  for (const { step, response, matchers = [], accepts = [], open } of exchangesOf(fixture)) {
    const now = exchanges.shift()?.response;
    if (now === undefined) return { allowed, drift: `step ${step}: the response is missing` };
    const [was, is] = [outcomeOf(response), outcomeOf(now)];
    if (was === is) {
      const active = matchers.filter(({ varies }) => varies === "run" || !isSame);
      const except = new Set(active.map(({ pointer }) => pointer));
      const differences = findDifferences(response.body, now.body, except);
      const { drift } = driftOf(differences.filter((difference) => isSame || difference.was !== undefined));
      if (drift !== undefined) return { allowed, drift: `step ${step}: ${drift}` };
    } else if (matchesOutcome(now, ...accepts))
      allowed.push(`step ${step}: ${is} instead of ${was} (open point ${open})`);
    else {
      const others = accepts.length === 0 ? "" : `; allowed: ${formatOutcomes(...accepts)}`;
      return { allowed, drift: `step ${step}: was ${was}, is ${is}${others}` };
    }
  }
  const [more] = exchanges;
  return { allowed, ...(more && { drift: `step ${more.step}: the fixture lacks this step` }) };
}

function outcomeOf({ status, body }: { readonly status: number; readonly body: JsonObject }): string {
  return [status, body["code"]].filter((part) => part !== undefined).join(" ");
}

/** A place where two JSON values differ. An absent member is undefined. */
interface Difference {
  readonly pointer: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** Returns each place where two JSON values differ, except at the given pointers. */
function findDifferences(
  was: unknown,
  is: unknown,
  except: ReadonlySet<string> = new Set(),
  pointer = "",
): readonly Difference[] {
  if (except.has(pointer) || Object.is(was, is)) return [];
  const areComparable = Array.isArray(was) ? Array.isArray(is) : isObject(was) && isObject(is);
  if (!areComparable) return [{ pointer, was, is }];
  const [before, after] = [was, is] as [JsonObject, JsonObject];
  return Object.keys({ ...before, ...after }).flatMap((name) =>
    findDifferences(
      valueAt(before, [name]),
      valueAt(after, [name]),
      except,
      `${pointer}/${escapeSegment(name)}`,
    ),
  );
}

/** Formats the first of several differences as one line. */
function driftOf([first, ...others]: readonly Difference[]): Pick<Comparison, "drift"> {
  if (first === undefined) return {};
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const place = segmentsOf(first.pointer).join(".") || "the whole value";
  return { drift: `${place}: was ${show(first.was, 100)}, is ${show(first.is, 100)}${more}` };
}
