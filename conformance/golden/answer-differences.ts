import type { JsonObject } from "./fixture.ts";
import { type JsonDifference, jsonDifferences } from "./json-differences.ts";
import { atPointer, describeMatch, type Matcher, matches } from "./matchers.ts";

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
