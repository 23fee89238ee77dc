import type { YamlPath } from "../data/yaml-places.ts";
import { type Outcome, parseOutcome } from "../outcome.ts";
import { type CompileContext, checkRules, requirePoint, requireReading } from "./compile-context.ts";
import { compileExpectation } from "./compile-expectation.ts";
import { checkDuration, checkFields, checkGroup } from "./step-checks.ts";
import type { Fields, Step, Template } from "./vector.ts";

type StepEntry = Readonly<Record<string, unknown>> & {
  readonly as?: string;
  readonly rules?: readonly string[];
};

const NO_VERBS: ReadonlySet<string> = new Set(["as", "expect", "rules"]);

/** Turns the steps of a vector, in order; names are checked as they come. */
export function compileSteps(
  context: CompileContext,
  entries: readonly unknown[],
  path: YamlPath,
): readonly Step[] {
  return entries.map((entry, index) => compileStep(context, entry as StepEntry, [...path, index]));
}

function compileStep(context: CompileContext, entry: StepEntry, path: YamlPath): Step {
  const { source, contract, names } = context;
  const verbs = Object.keys(entry).filter((key) => !NO_VERBS.has(key));
  const verb = verbs[0];
  if (verb === undefined || verbs.length > 1) {
    throw source.error(path, `a step has exactly one verb; this one has ${verbs.join(" and ") || "none"}`);
  }
  checkRules(source, contract, entry.rules ?? [], [...path, "rules"]);
  const base = {
    place: { file: source.file, line: source.position(path).line },
    ...(entry.rules === undefined ? {} : { rules: entry.rules }),
  };
  const step = { ...base, ...compileVerb(context, verb, entry[verb], [...path, verb]) } as Step;
  if (entry["expect"] !== undefined && step.kind !== "operation") {
    throw source.error([...path, "expect"], `"${verb}" takes no expect`);
  }
  const expect =
    entry["expect"] === undefined
      ? {}
      : { expect: compileExpectation(context, entry["expect"], [...path, "expect"]) };
  if (entry.as !== undefined) names.capture(entry.as, [...path, "as"]);
  return { ...step, ...expect, ...(entry.as === undefined ? {} : { as: entry.as }) };
}

/** The part of a step that its verb decides: `kind` and the members of that kind. */
function compileVerb(context: CompileContext, verb: string, value: unknown, path: YamlPath): object {
  const { names, contract } = context;
  const { operations, custom } = contract.vocabulary;
  if (operations.has(verb)) {
    const fields = (value ?? {}) as Fields;
    checkFields(context, fields, path);
    return { kind: "operation", verb, fields };
  }
  if (custom.has(verb)) {
    const fields = value as Fields & { readonly open?: string };
    if (fields.open === undefined) return { kind: "custom", verb, value: fields };
    requirePoint(context, fields.open, [...path, "open"]);
    return { kind: "custom", verb, value: fields, open: fields.open };
  }
  switch (verb) {
    case "advance":
      names.template(value as Template, path);
      checkDuration(context, value as Template, path);
      return { kind: "advance", advance: value };
    case "restart":
      return { kind: "restart" };
    case "repeat": {
      const rounds = value as { times: Template; steps: readonly unknown[]; "at-most"?: Fields };
      names.template(rounds.times, [...path, "times"]);
      const steps = compileSteps(context, rounds.steps, [...path, "steps"]);
      const bounds = rounds["at-most"] ?? {};
      names.template(bounds, [...path, "at-most"]);
      const atMost = compileTally(context, bounds, [...path, "at-most"]);
      return { kind: "repeat", times: rounds.times, steps, atMost };
    }
    case "together": {
      type Counts = Readonly<Record<string, number>>;
      const group = value as { times?: number; steps: readonly unknown[]; tally: Counts | readonly Counts[] };
      const steps = compileSteps(context, group.steps, [...path, "steps"]);
      checkGroup(context, steps, [...path, "steps"]);
      const tallies = Array.isArray(group.tally)
        ? group.tally.map((tally: Counts, index) => compileTally(context, tally, [...path, "tally", index]))
        : [compileTally(context, group.tally as Counts, [...path, "tally"])];
      return { kind: "together", times: group.times ?? 1, steps, tallies };
    }
    case "compare": {
      const parts = value as Record<string, Template>;
      const relation = Object.keys(parts).find((key) => key !== "value");
      for (const [key, part] of Object.entries(parts)) names.template(part, [...path, key]);
      return { kind: "compare", value: parts["value"], relation, other: parts[relation ?? ""] };
    }
    default:
      return compileClassify(context, value as { open: string; readings: Record<string, Fields> }, path);
  }
}

function compileClassify(
  context: CompileContext,
  value: { readonly open: string; readonly readings: Readonly<Record<string, Fields>> },
  path: YamlPath,
): object {
  const point = requirePoint(context, value.open, [...path, "open"]);
  const readings = Object.entries(value.readings).map(([reading, when]) => {
    const at = [...path, "readings", reading];
    requireReading(context, point, reading, at);
    for (const [key, expected] of Object.entries(when)) {
      context.names.template(`$${key}`, [...at, key]);
      context.names.template(expected, [...at, key]);
    }
    return { reading, when };
  });
  return { kind: "classify", open: value.open, readings };
}

function compileTally<Count>(
  { source }: CompileContext,
  tally: Readonly<Record<string, Count>>,
  path: YamlPath,
): readonly { readonly outcome: Outcome; readonly count: Count }[] {
  return Object.entries(tally).map(([text, count]) => {
    const outcome = parseOutcome(text);
    if (typeof outcome === "string") throw source.error([...path, text], outcome);
    return { outcome, count };
  });
}
