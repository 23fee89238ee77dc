/** Makes sentences of the differences that tests find. No other file does. */
import { describeResponse, type Exchange } from "../contract/exchange.ts";
import { formatOutcomes, matchesOutcome } from "../contract/outcome.ts";
import type { WrongValue } from "../contract/response-schemas.ts";
import { isObject, sameJson, show } from "../data/json.ts";
import { escapeText } from "../data/text.ts";
import type { Difference } from "../judge/difference.ts";
import type { Recommendation } from "../judge/judgment.ts";
import type { Tally } from "../suite/vector.ts";

/** Maximum length of a wrong value, which can be the message of a challenge. */
const MAX_VALUE = 400;

interface Found {
  readonly difference: Difference;
  /** The response. */
  readonly exchange?: Exchange | undefined;
}

/** Returns what was expected, and what occurred instead. */
export function textsOf({ difference, exchange }: Found): Readonly<Record<"expected" | "got", string>> {
  switch (difference.kind) {
    case "outcome": {
      const { expected, note, isOtherDraft = false } = difference;
      const outcomes = formatOutcomes(...expected);
      const response = exchange === undefined ? "no response" : describeResponse(exchange);
      return {
        expected: note === undefined ? outcomes : `${outcomes}, ${note}`,
        got: isOtherDraft ? `${response} with another draft` : response,
      };
    }
    case "tally":
    case "at-most": {
      const expected = difference.expected.map(formatTally).join("; or ");
      const got = countResponses(difference.got).map(({ text, count }) => `${count} × ${text}`);
      return {
        expected:
          difference.kind === "tally"
            ? expected
            : `at most ${expected} in ${difference.got.length} responses`,
        got: got.join(", "),
      };
    }
    case "values": {
      const join = (textOf: (value: WrongValue) => string) =>
        difference.values.map((value) => `${value.path}: ${textOf(value)}`).join("; ");
      const note = difference.note === undefined ? "" : ` (${difference.note})`;
      return { expected: join(({ expected }) => expected) + note, got: join(wrongValueText) };
    }
    case "comparison":
      return comparisonTexts(difference);
    case "behavior":
      return difference;
  }
}

/** Formats a wrong value, without its path. */
export function wrongValueText({ got, fault, offMs, size }: WrongValue): string {
  if (fault !== undefined) return fault;
  if (size !== undefined) return `${show(got, MAX_VALUE)} (${size})`;
  const off = offMs === undefined ? "" : `, ${Math.abs(offMs)} ms too ${offMs < 0 ? "early" : "late"}`;
  return show(got, MAX_VALUE) + off;
}

export function recommendationText({ message, difference, exchange }: Recommendation): string {
  if (difference === undefined) return message;
  const { expected, got } = textsOf({ difference, exchange });
  return `${message}: expected ${expected}, got ${got}`;
}

function comparisonTexts(difference: Extract<Difference, { kind: "comparison" }>) {
  const { template, relation, expected, got } = difference;
  // A reference is shown without its quotation marks.
  const name = show(template, MAX_VALUE).replace(/"\$([\w.]+)"/g, "$1");
  if (relation === "equals" && isObject(expected) && isObject(got)) {
    const names = Object.keys({ ...expected, ...got }).filter((one) => !sameJson(expected[one], got[one]));
    const values = (of: typeof expected) => names.map((one) => `${one}: ${show(of[one])}`).join("; ");
    return { expected: `${name} with ${values(expected)}`, got: values(got) };
  }
  const verb = relation === "equals" ? "is" : "is not";
  return { expected: `${name} ${verb} ${show(expected)}`, got: show(got) };
}

function formatTally(tally: Tally): string {
  return tally.map(({ outcome, count }) => `${count} × ${formatOutcomes(outcome)}`).join(", ");
}

/** Counts the responses by status and code. Each count has one of its responses. */
function countResponses(exchanges: readonly Exchange[]) {
  const texts = exchanges.map(describeResponse);
  return [...new Set(texts)].map((text) => {
    const exchange = exchanges[texts.indexOf(text)] as Exchange;
    return { text, exchange, count: texts.filter((other) => other === text).length };
  });
}

/** A status and a code. A response without them violates the contract. */
export interface OutcomeData {
  readonly status?: number;
  readonly code?: string;
}

/** The response of a finding and, if its outcome is wrong, the outcomes that were accepted. */
export interface OutcomesData {
  readonly response?: OutcomeData;
  readonly accepted?: readonly OutcomeData[];
}

/**
 * Returns the response and the accepted outcomes of a finding. Of a tally, returns an outcome that is too
 * frequent, and one that is too rare.
 */
export function outcomesOf({ difference, exchange }: Found): OutcomesData {
  if (difference.kind === "tally") {
    const { expected, got } = difference;
    const [tally = []] = expected;
    const rare = tally.find(
      ({ outcome, count }) => got.filter((one) => matchesOutcome(one, outcome)).length < count,
    );
    const frequent = countResponses(got).find(({ exchange: one, count }) =>
      tally.every((wanted) => !matchesOutcome(one, wanted.outcome) || wanted.count < count),
    );
    if (rare !== undefined && frequent !== undefined)
      return { response: outcomeOf(frequent.exchange), accepted: singleOutcomes([rare.outcome]) };
  }
  const response = exchange && { response: outcomeOf(exchange) };
  if (difference.kind !== "outcome" || difference.note !== undefined) return { ...response };
  return { ...response, accepted: singleOutcomes(difference.expected) };
}

function outcomeOf({ status, body: { code } }: Exchange): OutcomeData {
  return {
    ...(status !== undefined && { status }),
    ...(typeof code === "string" && { code: escapeText(code, MAX_VALUE) }),
  };
}

/** Returns outcomes with at most one code each. */
export function singleOutcomes(
  outcomes: readonly { readonly status: number; readonly codes: readonly string[] }[],
): readonly OutcomeData[] {
  return outcomes.flatMap(({ status, codes }): readonly OutcomeData[] =>
    codes.length === 0 ? [{ status }] : codes.map((code) => ({ status, code })),
  );
}
