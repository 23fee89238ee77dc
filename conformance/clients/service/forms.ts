/** Values in forms that the contract leaves open, and drafts that violate the contract. */
import { createHash } from "node:crypto";
import bs58 from "bs58";
import { escaped } from "../../contract/requests.ts";
import { isObject, type Json, type JsonObject } from "../../data/json.ts";
import { fillTemplate } from "../../suite/template.ts";

/** Names in the templates of messages, bearers, and timestamps. */
export const FORM_NAMES = [
  ...["creator", "audience", "termsHash", "expiresAt", "lines"],
  ...["bearer", "hex", "short", "digits"],
  ...["date", "time", "fraction", "eastern", "basic", "seconds", "exactSeconds", "ms", "httpDate", "asctime"],
];

/** Parts that a challenge message contains (contract, "Challenge"). */
type MessageParts = Readonly<Record<"creator" | "audience" | "termsHash" | "expiresAt", string>>;

export function messageOf(parts: MessageParts, template: Json = "$lines"): string {
  const { creator, audience, termsHash, expiresAt } = parts;
  const lines = `Creator: ${creator}\nAudience: ${audience}\nTerms: ${termsHash}\nExpires: ${expiresAt}`;
  return String(fill(template, { ...parts, lines }));
}

/** Returns a bearer in the form of the template, derived from the given bearer. */
export function bearerOf(bearer: string, template: Json = "$bearer"): string {
  const hex = createHash("sha256").update(bearer).digest("hex");
  const digits = BigInt(`0x${hex}`).toString();
  return String(fill(template, { bearer, hex, digits, short: hex.slice(0, 12) }));
}

/** @param expiresAt the time in ISO 8601 */
export function timestampOf(expiresAt: unknown, template?: Json): Json {
  const iso = String(expiresAt);
  if (template === undefined) return iso;
  const ms = Date.parse(iso);
  const [date = "", time = "", fraction = ""] = iso.split(/[TZ.]/);
  const httpDate = new Date(ms).toUTCString();
  const [weekday, day, month, year] = httpDate.split(/,? /);
  return fill(template, {
    ...{ date, time, fraction, ms, httpDate },
    eastern: new Date(ms + 7_200_000).toISOString().slice(0, -1),
    basic: `${date}T${time}Z`.replaceAll(/[-:]/g, ""),
    seconds: Math.floor(ms / 1000),
    exactSeconds: ms / 1000,
    asctime: `${weekday} ${month} ${day} ${time} ${year}`,
  });
}

function fill(template: Json, values: Readonly<Record<string, Json>>): Json {
  return fillTemplate(template, (name) => values[name] ?? null);
}

/** Ways to write a JSON value (RFC 8259). A JSON parser reads the same value from each. */
export const SPELLINGS: Readonly<Record<string, (value: Json) => string>> = {
  pretty: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  "white-space": (value) =>
    JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) =>
      token.startsWith('"') ? token : ` \r\n\t${token}\n \t`,
    ),
  "reversed-members": (value) =>
    JSON.stringify(value, (_, child) =>
      isObject(child) ? Object.fromEntries(Object.entries(child).reverse()) : child,
    ),
  escaped,
  "upper-case-escapes": (value) =>
    escaped(value).replace(/\\u[\da-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
  ascii: (value) => JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => escaped(unit).slice(1, -1)),
  "escaped-slashes": (value) => JSON.stringify(value).replaceAll("/", "\\/"),
};

const [UNSIGNED, SIGNED] = [Buffer.alloc(64), Buffer.alloc(64, 7)];

/**
 * Returns the transaction of a draft in base64, changed so that it violates the contract (contract, "Unsigned
 * draft"): with other signatures, with another key, or truncated.
 */
export function changeTransaction(draft: JsonObject, form: string, unrelatedKey: string): string {
  const [creator, mint] = draft["requiredSigners"] as [string, string];
  const bytes = Buffer.from(String(draft["unsignedTransactionBase64"]), "base64");
  const withSignatures = (...signatures: readonly Buffer[]) =>
    Buffer.concat([Buffer.of(signatures.length), ...signatures, bytes.subarray(1 + 2 * UNSIGNED.length)]);
  const hexOf = (key: string) => Buffer.from(bs58.decode(key)).toString("hex");
  const without = (key: string) =>
    Buffer.from(bytes.toString("hex").replaceAll(hexOf(key), hexOf(unrelatedKey)), "hex");
  const forms: Readonly<Record<string, () => Buffer>> = {
    "signed-by-creator": () => withSignatures(SIGNED, UNSIGNED),
    "signed-by-mint": () => withSignatures(UNSIGNED, SIGNED),
    "one-signature": () => withSignatures(UNSIGNED),
    "no-signature": () => withSignatures(),
    "three-signatures": () => withSignatures(UNSIGNED, UNSIGNED, UNSIGNED),
    "other-creator": () => without(creator),
    "other-mint": () => without(mint),
    cut: () => bytes.subarray(0, 40),
  };
  return (forms[form]?.() ?? bytes).toString("base64");
}
