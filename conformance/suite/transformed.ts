/** Forms of texts: the cases of vectors that send the texts which a function makes equal, valid or shorter. */

import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES, MAX_URI_BYTES } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { formatOutcomes } from "../contract/outcome.ts";
import { CHALLENGE_ID, IDEMPOTENCY_KEY } from "../contract/refusals.ts";
import { isAddress } from "../contract/response-schemas.ts";
import type { Json } from "../data/json.ts";
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

type Check = (text: string, plain: string) => boolean;
const isWithin = (max: number) => (text: string) => text !== "" && Buffer.byteLength(text) <= max;
const lowBytes = (text: string) => Buffer.from(text, "latin1").toString("latin1");
const startsWith = (text: string, start: string) => text.toLowerCase().startsWith(start.toLowerCase());

/**
 * Checks whether a form of a valid text is, or may be, valid. In other places, every form is invalid.
 * The contract leaves open whether upper case is valid in the scheme and host of a URI.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  name: isWithin(MAX_NAME_BYTES),
  symbol: isWithin(MAX_SYMBOL_BYTES),
  // The start of the URI, which depends on the service, has at most half of the bytes.
  "path-of-uri": isWithin(MAX_URI_BYTES / 2),
  key: (text) => IDEMPOTENCY_KEY.test(text),
  mint: isAddress,
  "creator-of-challenge": isAddress,
  id: (text) => CHALLENGE_ID.test(text),
  scheme: (text) => text.toLowerCase() === "https",
  host: (text, host) => startsWith(`${text}/`, `${host}/`),
  uri: (text, uri) => startsWith(text, uri.replace(/[^/]*$/, "")),
  // The contract leaves open whether a decoder ignores other characters, or what follows the padding. The decoder
  // of Node reads only the low byte of each character.
  signature: (text, signature) =>
    [text, text.replaceAll("-", "+").replaceAll("_", "/"), lowBytes(text)].some((read) =>
      [/[^A-Za-z\d+/]/g, /=.*|[^A-Za-z\d+/]/gs].some((ignored) =>
        Buffer.from(read.replace(ignored, ""), "base64").equals(Buffer.from(signature, "base64")),
      ),
    ),
};

function placeOf(name: string): Place {
  return readTransformations().places[name] as Place;
}

/** Maximum lengths in bytes. That of the URI includes its start. */
const LIMITS: Readonly<Record<string, number>> = {
  name: MAX_NAME_BYTES,
  symbol: MAX_SYMBOL_BYTES,
  "path-of-uri": MAX_URI_BYTES,
};

/** Returns the forms that one function gives at one place, or the reason why there is none. */
export function formsOf(
  entry: Transformation,
  { place: name, use }: TransformedTexts,
): readonly Form[] | string {
  const place = placeOf(name);
  const { values, samples, before = "", json = false } = place;
  const reasons = new Set<string>();
  const isForm = (plain: string, text: string): boolean => {
    const reason = reasonAgainst(plain, text, place, use, CHECKS[name]);
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
  if (use === "vanishing") {
    const texts = (entry.vanishing ?? []).filter((text) => isForm("", text));
    return texts.length > 0
      ? texts.map((text) => ({ plain: "", text, sample: text }))
      : "makes no text empty";
  }
  const written = (text: string) => (json ? JSON.stringify(text) : before + text);
  const limit = use === "another" || use === "refused" ? undefined : LIMITS[name];
  for (const plain of plainTexts(entry, place, CHECKS[name])) {
    const text = spell(entry, plain);
    let form: Form | undefined = { plain: written(plain), text: written(text), sample: text };
    if (limit !== undefined)
      form =
        before === ""
          ? atLimit(entry, plain, limit, use === "too-long")
          : endAtLimit(text, plain, before, limit, use === "too-long");
    if (form !== undefined && isForm(plain, form.sample)) return [form];
  }
  return (
    [...reasons].join("; ") || (limit === undefined ? "changes no text of this place" : "keeps the length")
  );
}

/** Returns texts that every service accepts. Functions begin with different values, so that all are used. */
function plainTexts(entry: Transformation, place: Place, check: Check | undefined): readonly string[] {
  const { name, examples, exact = false } = entry;
  const start = Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % place.values.length;
  const values = exact ? [] : [...place.values.slice(start), ...place.values.slice(0, start)];
  if (check === undefined) return values;
  const isAccepted = (text: string) => check(text, text) && openIn(place, text) === undefined;
  return [...(exact ? [] : place.values), ...Object.keys(examples).filter(isAccepted)];
}

/** Returns why a text is not a form for a use, or undefined. */
function reasonAgainst(
  plain: string,
  text: string,
  place: Place,
  use: TransformedTexts["use"],
  check: Check = () => false,
): string | undefined {
  if (text === plain) return "changes no text of this place";
  if (referencesIn(text).length > 0) return "the text would be read as a template";
  if (use === "too-long") return undefined;
  const isValid = check(text, plain);
  if (isValid !== (use !== "refused")) return isValid ? "the text can be valid" : "the text is invalid";
  // Such texts can be the same canonical input.
  if (use === "another" && canonical(text) === canonical(plain)) return "LAUNCH-40 is a recommendation";
  const open = use === "refused" && place.samples === undefined ? undefined : openIn(place, text);
  return open === undefined || open.point !== undefined ? undefined : open.reason;
}

const canonical = (text: string) => text.trim().normalize("NFC");

function openIn({ open = [] }: Place, sample: string) {
  return open.find(({ texts }) => new RegExp(texts, "u").test(sample));
}

/** Returns the padded text that is just too long, or as long as allowed, before the function changes it. */
function atLimit(entry: Transformation, plain: string, limit: number, isTooLong: boolean): Form | undefined {
  const forms = Array.from({ length: 2 * limit }, (_, count) => {
    const padded = plain + "x".repeat(count);
    const text = spell(entry, padded);
    return { plain: padded, text, sample: text };
  });
  const fits = (text: string) => Buffer.byteLength(text) <= limit;
  const crossing = forms.filter((form) => fits(form.plain) === isTooLong && fits(form.text) !== isTooLong);
  return isTooLong ? crossing[0] : crossing.at(-1);
}

/** As {@link atLimit}, for a text whose start is a template. The padding precedes the text. */
function endAtLimit(
  text: string,
  plain: string,
  start: string,
  limit: number,
  isTooLong: boolean,
): Form | undefined {
  const [length, plainLength] = [Buffer.byteLength(text), Buffer.byteLength(plain)];
  if (isTooLong ? length <= plainLength : length >= plainLength) return undefined;
  const bytes = limit - length + (isTooLong ? 1 : 0);
  const padded = { $fill: { start, with: "m", bytes } };
  return { plain: start, text: { $replace: [`START${text}`, "START", padded] }, sample: text };
}

/** Text that HTTP carries unchanged in a header. */
const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Returns the cases of a vector that sends transformed texts: the steps of each case, by the names of its first
 * and last function. A case is full before the next one starts.
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
  const cases: { readonly names: string[]; readonly steps: Json[]; last: Form; texts: number }[] = [];
  for (const form of [...groups.values()].flat()) {
    const { sample, ...values } = form;
    let current = cases.at(-1);
    let isFirst = current?.last.plain !== form.plain;
    const added = each.length + (isFirst ? first.length : 0);
    const isFull = (current?.steps.length ?? 0) + added > atMost;
    if (current === undefined || isFull || isCarried(current.last) !== isCarried(form)) {
      current = { names: [], steps: [], last: form, texts: 0 };
      cases.push(current);
      isFirst = true;
    }
    current.last = form;
    current.texts += isFirst ? 1 : 0;
    const [key, expect] = [`key-of-text-${current.texts}`, expectationOf(spec, sample, contract)];
    const steps = fillCaseValues([...(isFirst ? first : []), ...each], { ...values, key, expect });
    current.steps.push(...(steps as readonly Json[]));
    current.names.push(form.name);
  }
  const taken = new Map<string, number>();
  return Object.fromEntries(
    cases.map(({ names, steps }) => {
      const name = [...new Set([names[0], names.at(-1)])].join("-to-");
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      return [count === 1 ? name : `${name}-${count}`, { steps }];
    }),
  );
}

/** Returns the expected response to a form: also a refusal, if the contract leaves the text open. */
function expectationOf(
  { place, use, expect }: TransformedTexts,
  sample: string,
  { openPoints }: Contract,
): Json {
  const outcomesOf = (id: string) =>
    openPoints.get(id)?.readings.flatMap(({ outcome }) => outcome ?? []) ?? [];
  const point = use === "refused" || use === "too-long" ? undefined : openIn(placeOf(place), sample)?.point;
  const refusals = outcomesOf(point ?? "").filter(({ status }) => status >= 400);
  const accepted = outcomesOf(String(expect));
  const outcomes = [...accepted, ...refusals].map((outcome) => formatOutcomes(outcome));
  if (accepted.length > 0) return { any: outcomes, "allowed-by": expect };
  return point === undefined ? expect : { any: [expect, ...outcomes], "allowed-by": point };
}
