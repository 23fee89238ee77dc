/** Forms of texts: the cases of vectors that send the texts which a function makes equal, valid or shorter. */
import type { Json } from "../adapters/json.ts";
import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES, MAX_URI_BYTES } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { base58Bytes } from "../contract/key-pair.ts";
import { formatOutcomes, type Outcome } from "../contract/outcome.ts";
import { BASE58_KEY, CHALLENGE_ID, IDEMPOTENCY_KEY } from "../contract/refusals.ts";
import { fillCaseValues, referencesIn } from "./template.ts";
import { type Place, readTransformations, spell, type Transformation } from "./transformations.ts";

/** Forms of texts that a vector sends, as written in a suite. */
export interface TransformedTexts {
  readonly place: string;
  readonly use: "refused" | "another" | "too-long" | "longest" | "vanishing";
  /** Families of functions (default: all). */
  readonly families?: readonly string[];
  /** Maximum number of steps in a case. */
  readonly "at-most": number;
  readonly expect: string | number;
  /** Steps before the forms of one text. */
  readonly first?: readonly Json[];
  /** Steps for each form. */
  readonly each: readonly Json[];
}

/** A form of a text that a vector sends: the other spelling of a text, or a template for it. */
interface Form {
  readonly plain: Json;
  readonly text: Json;
  /** The text, or one such as the template gives. */
  readonly sample: string;
}

const isWithin = (max: number) => (text: string) => text !== "" && Buffer.byteLength(text) <= max;
const isAddress = (text: string) => BASE58_KEY.test(text) && base58Bytes(text)?.length === 32;

/** Checks of the places where a form of a valid text can be valid. In other places, all forms are invalid. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  name: isWithin(MAX_NAME_BYTES),
  symbol: isWithin(MAX_SYMBOL_BYTES),
  // The rest of the URI, which the kit does not know, has at most half of the bytes.
  "uri-path": isWithin(MAX_URI_BYTES / 2),
  key: (text) => IDEMPOTENCY_KEY.test(text),
  mint: isAddress,
  creator: isAddress,
  id: (text) => CHALLENGE_ID.test(text),
};

/** Maximum lengths in bytes. That of the URI includes its start. */
const LIMITS: Readonly<Record<string, number>> = {
  name: MAX_NAME_BYTES,
  symbol: MAX_SYMBOL_BYTES,
  "uri-path": MAX_URI_BYTES,
};

/** Returns the forms that one function gives at one place, or the reason why there is none. */
export function formsOf(
  entry: Transformation,
  { place: name, use }: TransformedTexts,
): readonly Form[] | string {
  const place = readTransformations().places[name] as Place;
  const { values, samples, before = "" } = place;
  const isValid = CHECKS[name] ?? (() => false);
  const reasons = new Set<string>();
  const isForm = (plain: string, text: string): boolean => {
    const reason = reasonAgainst(plain, text, place, use, isValid);
    if (reason !== undefined) reasons.add(reason);
    return reason === undefined;
  };
  if (samples !== undefined) {
    const [template = ""] = values;
    const [sample = ""] = samples.map((one) => spell(entry, one));
    const areForms = samples.every((one) => isForm(one, spell(entry, one)));
    if (areForms) return [{ plain: template, text: { [`$${entry.name}`]: template }, sample }];
    return [...reasons].join("; ");
  }
  const written = (text: string): Form => ({ plain: before, text: before + text, sample: text });
  if (use === "vanishing") {
    const texts = (entry.vanishing ?? []).filter((text) => isForm("", text));
    return texts.length > 0 ? texts.map(written) : "makes no text empty";
  }
  for (const plain of [...values, ...Object.keys(entry.examples)].filter(isValid)) {
    const limit = use === "another" || use === "refused" ? undefined : LIMITS[name];
    if (limit === undefined) {
      const text = spell(entry, plain);
      if (isForm(plain, text)) return [{ ...written(text), plain: before + plain }];
    } else {
      const form =
        before === "" ? atLimit(entry, plain, limit, use) : endAtLimit(entry, plain, before, limit, use);
      if (form !== undefined && isForm(plain, form.sample)) return [form];
    }
  }
  return [...reasons].join("; ") || (LIMITS[name] ? "keeps the length" : "leaves the texts unchanged");
}

/** Returns why a text is not a form for a use, or undefined. */
function reasonAgainst(
  plain: string,
  text: string,
  place: Place,
  use: TransformedTexts["use"],
  isValid: (text: string) => boolean,
): string | undefined {
  if (text === plain) return "leaves some texts unchanged";
  if (referencesIn(text).length > 0) return "the text would be read as a template";
  if (use === "too-long") return undefined;
  if (isValid(text) !== (use !== "refused"))
    return isValid(text) ? "the text stays valid" : "the text becomes invalid";
  // Such texts can be the same canonical input.
  if (use === "another" && canonical(text) === canonical(plain)) return "LAUNCH-40 is a recommendation";
  const open = openIn(place, text);
  return open === undefined || (open.point !== undefined && use !== "refused") ? undefined : open.reason;
}

const canonical = (text: string) => text.trim().normalize("NFC");

function openIn({ open = [] }: Place, sample: string) {
  return open.find(({ texts }) => new RegExp(texts, "u").test(sample));
}

/** Returns whether a text that is too long becomes short enough by the function, or the reverse. */
function crosses(plain: string, text: string, limit: number, use: TransformedTexts["use"]): boolean {
  const [before, after] = [plain, text].map((one) => Buffer.byteLength(one) <= limit);
  return before === (use === "too-long") && after === (use === "longest");
}

/** Returns the padded text that is just too long, or as long as allowed, before the function changes it. */
function atLimit(
  entry: Transformation,
  plain: string,
  limit: number,
  use: TransformedTexts["use"],
): Form | undefined {
  const padded = Array.from({ length: 2 * limit }, (_, count) => plain + "x".repeat(count));
  const fitting = padded.filter((one) => crosses(one, spell(entry, one), limit, use));
  const chosen = use === "too-long" ? fitting[0] : fitting.at(-1);
  const text = spell(entry, chosen ?? "");
  return chosen === undefined ? undefined : { plain: chosen, text, sample: text };
}

/** As {@link atLimit}, for a text whose start is a template. */
function endAtLimit(
  entry: Transformation,
  plain: string,
  start: string,
  limit: number,
  use: TransformedTexts["use"],
): Form | undefined {
  const sample = spell(entry, plain);
  const [length, plainLength] = [sample, plain].map((one) => Buffer.byteLength(one)) as [number, number];
  if (use === "too-long" ? length <= plainLength : length >= plainLength) return undefined;
  const bytes = limit - length + (use === "too-long" ? 1 : 0);
  const filled = { $fill: { start, with: "m", bytes } };
  return { plain: start, text: { $replace: [`START${sample}`, "START", filled] }, sample };
}

/** Text that HTTP carries unchanged in a header. */
const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Returns the cases of a vector that sends transformed texts: the steps of each case, by the name of its first
 * function. A case is full before the next one starts.
 */
export function transformedCases(
  spec: TransformedTexts,
  contract: Contract,
): Readonly<Record<string, { readonly steps: readonly Json[] }>> {
  const { functions, places } = readTransformations();
  const { families = Object.keys(functions), first = [], each, "at-most": atMost } = spec;
  const isCarried = ({ sample }: Form) => !places[spec.place]?.header || HEADER_TEXT.test(sample);
  const forms = families.flatMap((family) =>
    (functions[family] ?? []).flatMap((entry) => {
      const found = formsOf(entry, spec);
      return typeof found === "string" ? [] : found.map((form) => ({ ...form, name: entry.name }));
    }),
  );
  // Forms that HTTP cannot carry are in separate cases, which are then skipped.
  const groups = new Map<string, (typeof forms)[number][]>();
  for (const form of forms) {
    const group = JSON.stringify([isCarried(form), first.length > 0 && form.plain]);
    groups.set(group, [...(groups.get(group) ?? []), form]);
  }
  const cases: Record<string, { readonly steps: Json[] }> = {};
  let [batch, last, texts]: [Json[], Form | undefined, number] = [[], undefined, 0];
  for (const form of [...groups.values()].flat()) {
    const isFull = (added: number) => batch.length + added > atMost;
    let isFirst = last?.plain !== form.plain;
    if (
      last === undefined ||
      isCarried(last) !== isCarried(form) ||
      isFull(each.length + (isFirst ? first.length : 0))
    ) {
      [batch, isFirst, texts] = [[], true, 0];
      const taken = Object.keys(cases).filter((name) => name.replace(/-\d+$/, "") === form.name).length;
      cases[taken === 0 ? form.name : `${form.name}-${taken + 1}`] = { steps: batch };
    }
    last = form;
    texts += isFirst ? 1 : 0;
    const { plain, text, sample } = form;
    const values = {
      plain,
      text,
      key: `key-of-text-${texts}`,
      expect: expectationOf(spec, sample, contract),
    };
    batch.push(...(fillCaseValues([...(isFirst ? first : []), ...each], values) as readonly Json[]));
  }
  return cases;
}

/** Returns the expected response to a form: also a refusal, if the contract leaves the text open. */
function expectationOf(
  { place, use, expect }: TransformedTexts,
  sample: string,
  { openPoints }: Contract,
): Json {
  const point = openIn(readTransformations().places[place] as Place, sample)?.point;
  if (point === undefined || use === "too-long") return expect;
  const outcomes = openPoints.get(point)?.readings.map(({ outcome }) => outcome) ?? [];
  const refusals = outcomes.filter((outcome) => outcome !== undefined && outcome.status >= 400);
  return { any: [expect, formatOutcomes(...(refusals as Outcome[]))], "allowed-by": point };
}
