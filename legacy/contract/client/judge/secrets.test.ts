import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import bs58 from "bs58";
import fc from "fast-check";
import type { ClientRequest } from "../../../engine/client/trace.ts";
import { keyPairFrom, secretOf } from "../../keys/key-pair.ts";
import { secretsInRequest } from "./secrets.ts";

const SEED = secretOf("alice");
const PAIR = keyPairFrom(SEED);
const PUBLIC = Buffer.from(bs58.decode(PAIR.address));
const WHOLE = Buffer.concat([SEED, PUBLIC]);
const KEYS = [WHOLE.toString("base64")];
const EXPANDED = createHash("sha512").update(SEED).digest();
const CLAMPED = Buffer.from(EXPANDED);
CLAMPED[0] = (CLAMPED[0] ?? 0) & 248;
CLAMPED[31] = ((CLAMPED[31] ?? 0) & 63) | 64;
const HEX = SEED.toString("hex");
const PKCS8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), SEED]);
const PEM = `-----BEGIN PRIVATE KEY-----\n${PKCS8.toString("base64")}\n-----END PRIVATE KEY-----\n`;

const BODY = {
  creator: PAIR.address,
  mint: PAIR.address,
  name: "Moon",
  symbol: "MOON",
  uri: "https://a.b/c",
};

interface Changes {
  readonly target?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: unknown;
}

function request({ target = "/v1/launch/build", headers = [], body = BODY }: Changes): ClientRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method: "POST",
    target,
    headers: [["host", "127.0.0.1:4000"], ["authorization", `Bearer ${HEX.slice(0, 8)}`], ...headers],
    body: body instanceof Uint8Array ? body : new Uint8Array(Buffer.from(text)),
  };
}

const named = (name: unknown) => request({ body: { ...BODY, name } });
const header = (value: string) => request({ headers: [["user-agent", value]] });
const bigEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
const reversed = (bytes: Uint8Array) => Buffer.from(bytes).reverse();

const twice = (encode: (text: string) => string) => (text: string) => encode(encode(text));

const HIDDEN: Readonly<Record<string, ClientRequest>> = {
  "hex in a header": header(HEX),
  "hex in capitals": header(HEX.toUpperCase()),
  "hex with colons": header(HEX.replace(/..(?=.)/g, "$&:")),
  "hex with blanks and 0x": named(
    [...SEED].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", "),
  ),
  "hex after an odd digit": named(`f${HEX}`),
  "eight bytes of hex": named(HEX.slice(7, 24)),
  "hex as a UUID": header(HEX.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")),
  "hex in the path": request({ target: `/v1/launch/build/${HEX}` }),
  "hex in the query": request({ target: `/v1/launch/build?k=${HEX}` }),
  "hex as a header's name": request({ headers: [[`x-${HEX}`, "1"]] }),
  "hex as a member's name": request({ body: { ...BODY, [HEX]: 1 } }),
  "hex as an Idempotency-Key": request({ headers: [["idempotency-key", HEX]] }),
  base64: header(SEED.toString("base64")),
  "base64 of seed and public key": header(KEYS[0] ?? ""),
  base64url: header(SEED.toString("base64url")),
  "base64 within a larger one, at the second byte": named(
    Buffer.concat([Buffer.from("a"), SEED]).toString("base64"),
  ),
  "base64 within a larger one, at the third byte": named(
    Buffer.concat([Buffer.from("ab"), SEED]).toString("base64"),
  ),
  "base64 in lines": named(SEED.toString("base64").replace(/.{10}/g, "$&\r\n")),
  "base64 of hex": header(`Basic ${Buffer.from(`alice:${HEX}`).toString("base64")}`),
  "base64 of a JSON array": header(Buffer.from(JSON.stringify([...WHOLE])).toString("base64")),
  "base64 of base64 of base58": header(
    Buffer.from(Buffer.from(bs58.encode(SEED)).toString("base64")).toString("base64"),
  ),
  base58: named(bs58.encode(SEED)),
  "base58 of seed and public key": named(bs58.encode(WHOLE)),
  "base58, the first twelve characters": named(bs58.encode(SEED).slice(0, 12)),
  "base58, the last twelve characters": named(bs58.encode(SEED).slice(-12)),
  "base58 after a word": named(`Moon${bs58.encode(SEED)}`),
  "base58, in the order of the least byte": named(bs58.encode(reversed(SEED))),
  "an array of bytes": request({ body: { ...BODY, key: [...SEED] } }),
  "an array of signed bytes": request({
    body: { ...BODY, key: [...SEED].map((byte) => (byte << 24) >> 24) },
  }),
  "an array in lines": request({ body: JSON.stringify({ ...BODY, key: [...SEED] }, undefined, 4) }),
  "a buffer as JSON": request({ body: { ...BODY, key: SEED.toJSON() } }),
  "a typed array as JSON": request({ body: { ...BODY, key: new Uint8Array(WHOLE) } }),
  "an array as text": named(JSON.stringify([...SEED])),
  "a hexadecimal number": named(`0x${bigEndian(SEED).toString(16)}`),
  "percent-encoding": request({
    target: `/v1/platform?k=${[...SEED].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`,
  }),
  "JSON escapes": request({
    body: `{"name":"${[...SEED].map((byte) => `\\u00${byte.toString(16).padStart(2, "0")}`).join("")}"}`,
  }),
  "percent-encoding, twice": request({
    target: `/v1/platform?k=${twice(encodeURIComponent)(KEYS[0] ?? "")}`,
  }),
  "bytes as characters": named(SEED.toString("latin1")),
  "raw bytes as a body": request({ body: new Uint8Array(SEED) }),
  "raw bytes within a body": request({
    body: new Uint8Array(Buffer.concat([Buffer.from('{"name":"'), SEED.subarray(4, 12), Buffer.from('"}')])),
  }),
  "raw bytes in a header": header(SEED.toString("latin1")),
  PEM: named(PEM),
  "PEM in a header": header(PEM.replaceAll("\n", " ")),
  "PKCS #8 in hex": header(PKCS8.toString("hex")),
  JWK: request({
    body: {
      ...BODY,
      jwk: { kty: "OKP", crv: "Ed25519", d: SEED.toString("base64url"), x: PUBLIC.toString("base64url") },
    },
  }),
  "reversed bytes in hex": header(reversed(SEED).toString("hex")),
  "reversed bytes in base64": header(reversed(SEED).toString("base64")),
  "the expanded key in hex": header(EXPANDED.toString("hex")),
  "the clamped scalar in base64": header(CLAMPED.subarray(0, 32).toString("base64")),
  "the prefix in base58": named(bs58.encode(EXPANDED.subarray(32))),
  "the expanded key in base58": named(bs58.encode(CLAMPED)),
  "bytes with dots": header([...SEED].join(".")),
  "bytes as characters, percent-encoded": header(encodeURIComponent(SEED.toString("latin1"))),
  "parts in two headers": request({
    headers: [
      ["x-a", HEX.slice(0, 32)],
      ["x-b", HEX.slice(32)],
    ],
  }),
  "small parts in many headers": request({
    headers: (HEX.match(/.{8}/g) ?? []).map((part, index) => [`x-${index}`, part] as const),
  }),
  "small parts in many members": request({
    body: {
      ...BODY,
      ...Object.fromEntries((HEX.match(/.{8}/g) ?? []).map((part, index) => [`k${index}`, part])),
    },
  }),
  "parts in an array": request({ body: { ...BODY, k: HEX.match(/.{4}/g) } }),
};

for (const [what, hidden] of Object.entries(HIDDEN)) {
  test(`the private key is found: ${what}`, () => {
    assert.ok(secretsInRequest(hidden, KEYS).length > 0);
  });
}

test("what is found says where, in what encoding, and of what", () => {
  const [found] = secretsInRequest(named(`Moon ${HEX}`), KEYS);
  assert.deepEqual(
    { ...found, text: "" },
    { key: 0, what: "the private key", where: "body, member name", encoding: "hexadecimal", text: "" },
  );
  const [within] = secretsInRequest(HIDDEN["base64 of hex"] ?? request({}), KEYS);
  assert.equal(within?.where, "header user-agent");
  assert.equal(within?.encoding, "hexadecimal in base64");
  const [scalar] = secretsInRequest(HIDDEN["the clamped scalar in base64"] ?? request({}), KEYS);
  assert.equal(scalar?.what, "the private key, expanded");
});

test("whose key it is is told, in every part that holds one", () => {
  const other = Buffer.concat([secretOf("bob"), PUBLIC]).toString("base64");
  const both = request({
    headers: [
      ["x-a", HEX],
      ["x-b", secretOf("bob").toString("hex")],
      ["x-c", SEED.toString("base64")],
    ],
  });
  assert.deepEqual(
    secretsInRequest(both, [other, ...KEYS])
      .map(({ key, where }) => `${where}: ${key}`)
      .filter((place) => place.startsWith("header")),
    ["header x-a: 1", "header x-b: 0", "header x-c: 1"],
  );
});

test("seven bytes of it, the public key, and a key of nothing but zeros are no finding", () => {
  assert.deepEqual(secretsInRequest(header(SEED.subarray(3, 10).toString("hex")), KEYS), []);
  assert.deepEqual(secretsInRequest(header(PUBLIC.toString("hex")), KEYS), []);
  const zeros = Buffer.alloc(64).toString("base64");
  assert.deepEqual(secretsInRequest(header("0".repeat(200)), [zeros]), []);
});

test("no legal request holds a private key", () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const made = fc.record({
    message: fc.string({ unit: "binary", maxLength: 200 }),
    random: bytes(48),
    name: fc.string({ unit: "binary", minLength: 1, maxLength: 32 }),
    uri: fc.webPath(),
    key: fc.uuid(),
  });
  const holds = fc.property(made, ({ message, random, name, uri, key }) => {
    const signature = Buffer.from(PAIR.sign(Buffer.from(message)));
    const hash = createHash("sha256").update(random).digest();
    const mint = bs58.encode(hash);
    const bearer = `Bearer ${Buffer.from(random).toString("base64url")}`;
    const requests = [
      request({
        body: {
          id: Buffer.from(random.subarray(0, 24)).toString("hex"),
          signatureBase64: signature.toString("base64"),
        },
      }),
      request({ body: { creator: PAIR.address, termsHash: hash.toString("hex") } }),
      request({
        headers: [
          ["authorization", bearer],
          ["idempotency-key", key],
          ["x-request-id", hash.toString("hex")],
        ],
        body: { creator: PAIR.address, mint, name, symbol: name.slice(0, 10), uri: `https://a.b${uri}` },
      }),
    ];
    return requests.every((one) => secretsInRequest(one, KEYS).length === 0);
  });
  fc.assert(holds, { seed: 17, numRuns: 100 });
});
