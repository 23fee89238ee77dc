import assert from "node:assert/strict";
import { test } from "node:test";
import { folded, shownText } from "./markup.ts";

test("markup is text", () => {
  assert.equal(
    String(shownText(`<b a='1' b="2">&`)),
    "<bdi>&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;</bdi>",
  );
});

test("what would act on a page or hide in it stands as an escape", () => {
  const acting = ["\u0000", "\u001b", "\u202e", "\u2066", "\u200e", "\u200b", "\ufeff", "\u2028", "\ud800"];
  for (const one of acting) {
    const code = one.charCodeAt(0).toString(16);
    assert.equal(String(shownText(`a${one}b`)), `<bdi>a\\u{${code}}b</bdi>`);
  }
});

test("a long text is cut, never in the middle of a letter", () => {
  assert.equal(String(shownText("abcdef", 3)), "<bdi>abc…</bdi>");
  assert.equal(String(shownText("ab\u{1f600}", 3)), "<bdi>ab…</bdi>");
});

test("what is long is folded whole, and what is longer still is counted", () => {
  assert.equal(String(folded("short")), "<bdi>short</bdi>");
  const long = String(folded("x".repeat(1000)));
  assert.match(
    long,
    /<bdi>x{160}<\/bdi><details class="fold"><summary>… 840 characters more<\/summary><bdi>x{840}<\/bdi><\/details>$/,
  );
  const huge = String(folded("x".repeat(1_000_000)));
  assert.ok(huge.length < 5000, `${huge.length}`);
  assert.match(huge, /cut here: 1,000,000 characters in all/);
});
