import fc from "fast-check";
import type { Fields, Template } from "../../../engine/vectors/vector.ts";
import { executionPath, ROUTES, VERSION_PREFIX } from "../../operations.ts";
import { requestFields } from "../../request-fields.ts";
import { plain } from "./plain-text.ts";

const METHODS = ["POST", "GET", "PUT", "DELETE", "PATCH", "post", "OPTIONS", "X"];
const PATHS = [
  ROUTES.build.path,
  ROUTES.verify.path,
  ROUTES.challenge.path,
  ROUTES.platform.path,
  `${ROUTES.build.path}/`,
  `${ROUTES.challenge.path}?x=1`,
  ROUTES.verify.path.toUpperCase(),
  executionPath("sign"),
  `${VERSION_PREFIX}/transactions/send`,
  `${VERSION_PREFIX}/buy`,
  `${VERSION_PREFIX}/fees/claim`,
  `${VERSION_PREFIX}/payouts`,
  "/",
  "",
  VERSION_PREFIX,
  `${VERSION_PREFIX}/launch/%62uild`,
  `/${ROUTES.platform.path}`,
  `${VERSION_PREFIX}/launch/../auth/challenge`,
];

/** Any code point but half a pair. (fast-check's own unit "binary" takes half a second to build.) */
const codePoint = fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const text = plain(fc.array(codePoint, { maxLength: 40 }).map((points) => String.fromCodePoint(...points)));
const word = fc.stringMatching(/^[A-Za-z0-9_-]{0,70}$/);

/** Bodies: any JSON, any bytes, and valid ones of the three operations with a part cut out or put in. */
function bodies(valid: readonly string[]): fc.Arbitrary<Fields> {
  const json = fc.json({ maxDepth: 4 }).filter((value) => !value.includes("$"));
  const cut = fc
    .tuple(
      fc.constantFrom(...valid),
      fc.nat(),
      fc.nat(6),
      fc.constantFrom("", "", '"', "{", ",", "\\", "0", "null", " "),
    )
    .map(
      ([body, at, length, put]) =>
        body.slice(0, at % body.length) + put + body.slice((at % body.length) + length),
    );
  const { mostBytes } = requestFields("build");
  const huge = fc
    .integer({ min: mostBytes - 4, max: mostBytes + 16 })
    .map((size) => `"${"x".repeat(size - 2)}"`);
  const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value).toString("base64"));
  return fc.oneof(
    fc.constant({}),
    plain(fc.oneof(fc.constantFrom(...valid), json, cut, cut, text, huge)).map((body) => ({ body })),
    bytes.map((bodyBase64) => ({ bodyBase64 })),
  );
}

/**
 * Any request at all.
 * @param valid texts of valid bodies, without templates
 * @param session name of a live session that some requests use
 */
export function anyRequest(valid: readonly string[], session: string): fc.Arbitrary<Fields> {
  const method = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...METHODS) },
    { weight: 1, arbitrary: word.filter((token) => token !== "") },
  );
  const path = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
    { weight: 1, arbitrary: text.map((rest) => `/${rest}`) },
  );
  const none: Fields = {};
  const credentials = fc.oneof(
    fc.constant(none),
    fc.constant<Fields>({ session: `$${session}` }),
    fc.oneof(text, word).map((bearer): Fields => ({ bearer })),
  );
  const key = fc.oneof(
    fc.constant(none),
    fc.oneof(word, text, fc.constant("key-number-1")).map((value: Template): Fields => ({ key: value })),
  );
  return fc
    .tuple(method, path, bodies(valid), credentials, key)
    .map(([verb, route, body, bearer, idempotencyKey]) => ({
      method: verb,
      path: route,
      ...body,
      ...bearer,
      ...idempotencyKey,
    }));
}
