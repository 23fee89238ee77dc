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
  return [...found, ...active.flatMap((matcher) => unmatched(matcher, is))];
}

function unmatched(matcher: Matcher, body: JsonObject): readonly JsonDifference[] {
  const { pointer, optional } = matcher;
  const value = atPointer(body, pointer);
  if (value === undefined && optional === true) return [];
  return matches(matcher, value) ? [] : [{ pointer, was: describeMatch(matcher), is: value }];
}
