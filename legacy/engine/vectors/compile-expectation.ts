import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import { type Outcome, parseOutcome } from "../outcome.ts";
import { type CompileContext, requirePoint, requireReading } from "./compile-context.ts";
import type { AcceptedOutcome, Expectation, Fields, Template } from "./vector.ts";

interface LongForm {
  readonly is?: string | number;
  readonly any?: readonly (string | number)[] | Readonly<Record<string, string | number>>;
  readonly open?: string;
  readonly body?: Fields;
  readonly "same-as"?: Template;
  readonly "ends-unless"?: string | number;
}

const LONG_FORM_KEYS = ["is", "any", "open", "body", "same-as", "ends-unless"];

/** Turns an `expect`, short or long, `$case.column` looked up. */
export function compileExpectation(context: CompileContext, entry: unknown, at: YamlPath): Expectation {
  const [value, path] = fromRow(context, entry, at);
  if (typeof value === "string" || typeof value === "number") return short(context, value, path);
  const form = longForm(context, value, path);
  for (const [key, body] of Object.entries(form.body ?? {}))
    context.names.template(body, [...path, "body", key]);
  if (form["same-as"] !== undefined) context.names.template(form["same-as"], [...path, "same-as"]);
  const { accepted, open } =
    form.any === undefined
      ? short(context, ...(fromRow(context, form.is ?? 200, [...path, "is"]) as [string, YamlPath]))
      : lenient(context, form, path);
  const goesOn = form["ends-unless"];
  return {
    accepted,
    ...(open === undefined ? {} : { open }),
    ...(form.body === undefined ? {} : { body: form.body }),
    ...(form["same-as"] === undefined ? {} : { sameAs: form["same-as"] }),
    ...(goesOn === undefined
      ? {}
      : { endsUnless: oneOf(context, accepted, goesOn, [...path, "ends-unless"]) }),
  };
}

/** An outcome that some, and not all, of the accepted answers are of. */
function oneOf(
  context: CompileContext,
  accepted: readonly Outcome[],
  text: string | number,
  path: YamlPath,
): Outcome {
  const wanted = outcome(context, text, path);
  const answers = accepted.flatMap(answersOf);
  const own = new Set(answersOf(wanted));
  const known = [...own].every((answer) => answers.includes(answer));
  if (known && answers.some((answer) => !own.has(answer))) return wanted;
  throw context.source.error(path, `"${text}" ${known ? "is all" : "is none"} that is accepted here`);
}

/** The answers of an outcome, each with one code. */
function answersOf({ status, codes }: Outcome): readonly string[] {
  return codes.length === 0 ? [`${status}`] : codes.map((code) => `${status} ${code}`);
}

/** `$case.column` stands for that column's value, which has a place of its own. */
function fromRow(
  { names, row, rowPath }: CompileContext,
  entry: unknown,
  path: YamlPath,
): readonly [value: unknown, path: YamlPath] {
  const column = typeof entry === "string" ? /^\$case\.([A-Za-z0-9_-]+)$/.exec(entry)?.[1] : undefined;
  if (column === undefined) return [entry, path];
  names.template(entry as string, path);
  return [row[column], [...rowPath, column]];
}

/** What the schema asks of a long form; it does not see the columns of a row. */
function longForm({ source }: CompileContext, value: unknown, path: YamlPath): LongForm {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw source.error(path, `${JSON.stringify(value)} is no expectation`);
  for (const key of Object.keys(value)) {
    if (!LONG_FORM_KEYS.includes(key))
      throw source.error([...path, key], `unknown key "${key}"${suggestion(key, LONG_FORM_KEYS)}`);
  }
  const form = value as LongForm;
  if (form.is !== undefined && form.any !== undefined)
    throw source.error(path, '"is" and "any" exclude each other');
  if ((form.open === undefined) !== (form.any === undefined))
    throw source.error(
      path,
      '"any" names the open point on which it leans under "open", and "open" needs "any"',
    );
  return form;
}

function short(context: CompileContext, value: string | number, path: YamlPath): Expectation {
  if (typeof value === "string" && /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/.test(value)) {
    const point = requirePoint(context, value, path);
    const accepted = point.readings.flatMap((reading): AcceptedOutcome[] =>
      reading.outcome === undefined ? [] : [{ ...reading.outcome, reading: reading.id }],
    );
    if (accepted.length !== point.readings.length) {
      throw context.source.error(
        path,
        `the readings of ${value} are not all outcomes: write them out under "any"`,
      );
    }
    return { accepted, open: value };
  }
  return { accepted: [outcome(context, value, path)] };
}

function lenient(context: CompileContext, { any, open }: LongForm, path: YamlPath): Expectation {
  const point = requirePoint(context, open ?? "", [...path, "open"]);
  const settledByOneAnswer = point.readings.some((reading) => reading.outcome !== undefined);
  if (Array.isArray(any) && (context.classified.has(point.id) || !settledByOneAnswer)) {
    const outcomes = any as readonly (string | number)[];
    return { accepted: outcomes.map((text, index) => outcome(context, text, [...path, "any", index])) };
  }
  if (Array.isArray(any)) {
    const list = any as readonly (string | number)[];
    const accepted = list.map((text, index) => {
      const parsed = outcome(context, text, [...path, "any", index]);
      const reading = point.readings.find((candidate) => sameOutcome(candidate.outcome, parsed));
      if (reading === undefined)
        throw context.source.error([...path, "any", index], `${point.id} has no reading "${text}"`);
      return { ...parsed, reading: reading.id };
    });
    return { accepted, open: point.id };
  }
  const accepted = Object.entries(any ?? {}).map(([reading, text]): AcceptedOutcome => {
    requireReading(context, point, reading, [...path, "any", reading]);
    return { ...outcome(context, text as string, [...path, "any", reading]), reading };
  });
  return { accepted, open: point.id };
}

function outcome({ source }: CompileContext, text: string | number, path: YamlPath): Outcome {
  const parsed = parseOutcome(text);
  if (typeof parsed === "string") throw source.error(path, parsed);
  return parsed;
}

function sameOutcome(a: Outcome | undefined, b: Outcome): boolean {
  return a !== undefined && a.status === b.status && a.codes.join() === b.codes.join();
}
