/** Properties about request bodies: their spelling as JSON, and requests of any kind. */
import fc from "fast-check";
import type { Facts } from "../adapters/adapter.ts";
import { MAX_BODY_BYTES, ROUTES } from "../contract/constants.ts";
import { EXECUTION_PATHS } from "../contract/refusals.ts";
import type { Fields } from "../data/json.ts";
import { referencesIn } from "../suite/template.ts";
import { build, challenge, session, usually, verify } from "./actions.ts";
import type { Cases } from "./property.ts";

/** How a JSON string is written: as usual, with all characters or every second one escaped, or with `\/`. */
const STRING_STYLES = ["usual", "usual", "escaped", "half escaped", "escaped slashes"] as const;

function spelled(text: string, style: (typeof STRING_STYLES)[number]): string {
  const usual = JSON.stringify(text);
  // Keeps references such as `${alice}` readable for the template.
  if (style === "usual" || text.includes("$")) return usual;
  if (style === "escaped slashes") return usual.replaceAll("/", "\\/");
  const step = style === "escaped" ? 1 : 2;
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const written = units.map((unit, index) =>
    index % step === 0
      ? `\\u${unit.toString(16).padStart(4, "0")}`
      : JSON.stringify(String.fromCharCode(unit)).slice(1, -1),
  );
  return `"${written.join("")}"`;
}

/** Draws a JSON text of these members, in any order and with any white space and string style. */
function spelledBody(members: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const entries = Object.entries(members);
  const count = entries.length;
  const order = fc.shuffledSubarray(entries, { minLength: count, maxLength: count });
  const gap = fc.constantFrom("", "", "", " ", "\n", "\t", "\r\n ", "   ");
  const gaps = fc.array(gap, { minLength: 4 * count, maxLength: 4 * count });
  const style = fc.constantFrom(...STRING_STYLES);
  const styles = fc.array(style, { minLength: 2 * count, maxLength: 2 * count });
  return fc.tuple(order, gaps, styles).map(([ordered, space, written]) => {
    const texts = ordered.map(([name, value], index) => {
      const [before, after, colon, end] = space.slice(4 * index);
      const [nameStyle = "usual", valueStyle = "usual"] = written.slice(2 * index);
      return `${before}${spelled(name, nameStyle)}${after}:${colon}${spelled(value, valueStyle)}${end}`;
    });
    return `${space[0]}{${texts.join(",")}}${space[1]}`;
  });
}

const NAMES = ["Coin", "Ж coin", "A/B", 'q"uote', "back\\slash", "é", "x"];

export const spellings: Cases = {
  casesPerRun: 0.5,
  draw: ({ metadataHosts: [host] }: Facts) =>
    fc
      .constantFrom(...NAMES)
      .chain((name) => {
        const uri = `https://${host}/m.json`;
        const members = { creator: "$" + "{alice}", mint: "$" + "{gold}", name, symbol: "DEMO", uri };
        const other = { ...members, name: `${name}!` };
        return fc.tuple(spelledBody(members), spelledBody(members), spelledBody(other));
      })
      .map((bodies) => bodies.map((body) => build({ key: "key-number-1", body }))),
};

const METHODS = ["POST", "GET", "PUT", "DELETE", "PATCH", "post", "OPTIONS", "X"];
const PATHS = [
  ...Object.values(ROUTES).map((route) => route.path),
  ...EXECUTION_PATHS,
  `${ROUTES.build.path}/`,
  `${ROUTES.challenge.path}?x=1`,
  ROUTES.verify.path.toUpperCase(),
  `/${ROUTES.platform.path}`,
  ...["/", "", "/v1", "/v1/launch/%62uild", "/v1/launch/../auth/challenge"],
];

/** Any code point except surrogates. The unit "binary" of fast-check takes half a second to build. */
const codePoint = fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const anyText = fc.string({ unit: codePoint.map((point) => String.fromCodePoint(point)), maxLength: 40 });
const word = fc.string({ unit: fc.constantFrom(..."abcXYZ0189_-"), maxLength: 70 });

/** Bodies with the right members and wrong values. `changedBody` changes a part of one body. */
const VALID_BODIES = [
  { creator: "1".repeat(32), termsHash: "0".repeat(64) },
  { id: "0123456789abcdef".repeat(3), signatureBase64: `${"A".repeat(86)}==` },
  { creator: "1".repeat(32), mint: "2".repeat(44), name: "x", symbol: "x", uri: "https://gateway.example/m" },
].map((members) => JSON.stringify(members));

const changedBody = fc
  .tuple(fc.constantFrom(...VALID_BODIES), fc.nat(200), fc.nat(6), fc.constantFrom(...'"{,\\0 ', "null", ""))
  .map(([body, place, length, text]) => {
    const at = place % body.length;
    return body.slice(0, at) + text + body.slice(at + length);
  });
const largeBody = fc
  .integer({ min: MAX_BODY_BYTES - 4, max: MAX_BODY_BYTES + 16 })
  .map((size) => `"${"x".repeat(size - 2)}"`);
const anyBody = fc.oneof(
  fc.constantFrom(...VALID_BODIES),
  fc.json({ maxDepth: 4 }),
  changedBody,
  changedBody,
  anyText,
  largeBody,
);

const optional = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Fields> =>
  fc.oneof(
    fc.constant({}),
    values.map((value) => ({ [name]: value })),
  );

const starting = (start: string, texts: fc.Arbitrary<string>) => texts.map((text) => start + text);

/** Draws the fields of a request of any kind. */
const anyRequest = fc
  .tuple(
    usually(6, fc.constantFrom(...METHODS), starting("X", word)),
    usually(6, fc.constantFrom(...PATHS), starting("/", anyText)),
    optional("body", anyBody),
    fc.oneof(fc.constant({ session: "$session1" }), optional("bearer", fc.oneof(anyText, word))),
    optional("key", fc.oneof(word, anyText, fc.constant("key-of-alice"))),
  )
  .map(([method, path, ...rest]): Fields => ({ method, path, ...Object.assign({}, ...rest) }))
  .filter(({ session, ...fields }) => referencesIn(fields).length === 0);

export const universal: Cases = {
  casesPerRun: 0.5,
  draw: () =>
    fc
      .array(anyRequest, { minLength: 1, maxLength: 4 })
      .map((requests) => [
        session("bob", "session1"),
        build({ key: "key-of-alice" }),
        challenge("alice", "challenge2"),
        ...requests.map((fields) => ({ verb: "request", fields }) as const),
        build({ key: "key-of-alice" }),
        verify("challenge2", "valid", "alice"),
      ]),
};
