import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BODY_LIMIT, checkSize, exactFields, parseJson } from "./body.ts";

describe("body size", () => {
  it("accepts 16 KiB of UTF-8, and refuses one byte more", () => {
    for (const body of ["x".repeat(BODY_LIMIT), "é".repeat(BODY_LIMIT / 2), new Uint8Array(BODY_LIMIT)])
      checkSize(body);
    for (const body of [
      "x".repeat(BODY_LIMIT + 1),
      `${"é".repeat(BODY_LIMIT / 2)}x`,
      new Uint8Array(BODY_LIMIT + 1),
    ]) {
      assert.throws(() => checkSize(body), { code: "BODY_TOO_LARGE" });
    }
  });

  it("counts an absent body, or a value that is neither text nor bytes, as empty", () => {
    for (const body of [undefined, null, 5, {}, { byteLength: 1e9 }]) checkSize(body);
  });

  it("counts the actual bytes if their `byteLength` is overridden", () => {
    class Lying extends Uint8Array {
      override get byteLength(): number {
        throw new Error("no");
      }
    }
    checkSize(new Lying(BODY_LIMIT));
    assert.throws(() => checkSize(new Lying(BODY_LIMIT + 1)), { code: "BODY_TOO_LARGE" });
  });
});

describe("JSON", () => {
  it("parses text and UTF-8 bytes", () => {
    assert.deepEqual(parseJson('{"a":"é"}'), { a: "é" });
    assert.deepEqual(parseJson(new TextEncoder().encode('{"a":"é"}')), { a: "é" });
  });

  const refused: Readonly<Record<string, unknown>> = {
    "no body": undefined,
    "an empty text": "",
    "text that is cut off": '{"a":"',
    "a trailing comma": '{"a":"b",}',
    "two documents": "{}{}",
    NaN: "NaN",
    "a byte order mark in text": "\ufeff{}",
    "a byte order mark in bytes": Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
    "a byte that is not UTF-8 inside a string": Uint8Array.of(0x22, 0xff, 0x22),
    "an overlong encoding": Uint8Array.of(0x22, 0xc0, 0xa2, 0x22),
    "a surrogate in UTF-8": Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    "a value that is parsed already": {},
    "a number whose text is JSON": 5,
    "a null whose text is JSON": null,
    "a proxy of bytes": new Proxy(new Uint8Array(2), {}),
    "deep nesting that never closes": "[".repeat(BODY_LIMIT),
  };
  for (const [what, body] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => parseJson(body), { name: "Refusal", code: "INVALID_JSON_BODY" });
    });
  }
});

describe("fields", () => {
  const names = ["a", "b"] as const;

  it("accepts an object that has exactly the named strings, in any order", () => {
    assert.deepEqual(exactFields({ b: "2", a: "1" }, names), { a: "1", b: "2" });
    assert.deepEqual(exactFields(JSON.parse('{"a":"0","b":"2","a":"1"}'), names), { a: "1", b: "2" });
  });

  it("returns undefined for any other value", () => {
    const wrong = [
      null,
      [],
      ["1", "2"],
      "ab",
      5,
      true,
      {},
      { a: "1" },
      { a: "1", b: 2 },
      { a: "1", b: "2", c: "3" },
    ];
    const inherited = ['{"a":"1","__proto__":{"b":"2"}}', '{"a":"1","constructor":"2"}'].map((text) =>
      JSON.parse(text),
    );
    for (const json of [...wrong, ...inherited])
      assert.equal(exactFields(json, names), undefined, JSON.stringify(json));
  });
});
