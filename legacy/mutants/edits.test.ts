import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, faultsOfEdits, overlap, spansOf, unknownNames, withImports } from "./edits.ts";
import { programOf } from "./program.ts";
import type { Edit, PlacedEdit } from "./suite.ts";
import { tokensOf } from "./tokens.ts";

const program = programOf(
  new Map([
    ["add.ts", "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n"],
    [
      "both.ts",
      'import { add } from "./add.ts";\n\nexport const both = {\n  sum: add(1, 2),\n  a: "b",\n};\n',
    ],
    ["more.ts", 'export const more = { a: "b" };\n'],
  ]),
);

const at = (line: number, edit: Edit): PlacedEdit => ({ ...edit, place: { file: "bank.yaml", line } });
const messages = (...edits: readonly PlacedEdit[]) =>
  faultsOfEdits(program, edits).map(({ where, message }) => `${where}: ${message}`);

/** A file after one edit, as its tokens. */
function edited(file: string, edit: Edit): string {
  const text = applyEdits(program, [at(1, edit)]).get(file) ?? "";
  return tokensOf(text)
    .map((token) => token.text)
    .join(" ");
}

const found: readonly (readonly [what: string, file: string, edit: Edit, expected: RegExp])[] = [
  ["as it stands", "add.ts", { replace: "a + b", with: "a - b" }, /return a - b ;/],
  ["with other white space", "add.ts", { replace: "return a+b", with: "return a" }, /\{ return a ; \}/],
  ["with a comment", "add.ts", { replace: "a + // plus\n b", with: "a" }, /return a ;/],
  ["with a trailing comma", "add.ts", { replace: "(a: number, b: number,)", with: "()" }, /add \( \) :/],
  ["without a trailing comma", "both.ts", { replace: '{ sum: add(1, 2), a: "b" }', with: "0" }, /= 0 ;/],
  ["where the file is named", "more.ts", { in: "more.ts", replace: 'a: "b"', with: "" }, /= \{ \} ;/],
  ["before a trailing comma", "both.ts", { in: "both.ts", replace: 'a: "b"', with: "a: 1" }, /, a : 1 , \}/],
];
for (const [what, file, edit, expected] of found) {
  test(`text is found ${what}`, () => {
    assert.match(edited(file, edit), expected);
  });
}

test("what an edit needs is imported where its text stands", () => {
  const edit = { replace: "a + b", with: "more.a", imports: ["more"] };
  assert.match(edited("add.ts", edit), /^import \{ more \} from ".\/more.ts" ; .* return more \. a ;/);
});

test("an import of what no file exports is told", () => {
  assert.deepEqual(messages(at(3, { replace: "a + b", with: "c", imports: ["c"] })), [
    "bank.yaml:3: no file of the source exports c",
  ]);
});

test("several edits of a file all refer to the file as it was", () => {
  const both = [at(1, { replace: "a + b", with: "b" }), at(2, { replace: "b: number", with: "b: bigint" })];
  const text = applyEdits(program, both).get("add.ts") ?? "";
  assert.match(text, /\(a: number, b: bigint\): number \{\n {2}return b;/);
});

test("text that is nowhere is told, with the nearest place where one is close", () => {
  assert.deepEqual(
    messages(
      at(3, { replace: "return a + c;", with: "" }),
      at(4, { replace: "while (true)", with: "" }),
      at(5, { replace: "minus(1, 2)", with: "" }),
    ),
    [
      "bank.yaml:3: the source has nowhere: return a + c;; nearest is add.ts:3: return a + b;",
      "bank.yaml:4: the source has nowhere: while (true)",
      "bank.yaml:5: the source has nowhere: minus(1, 2); nearest is both.ts:4: add(1, 2)",
    ],
  );
});

test("text that is in another file than is named is told, with where it is", () => {
  assert.deepEqual(messages(at(3, { in: "more.ts", replace: "a + b", with: "" })), [
    "bank.yaml:3: more.ts has nowhere: a + b; nearest is add.ts:3: a + b",
  ]);
});

test("text that is there more than once is told, with every place", () => {
  assert.deepEqual(messages(at(3, { replace: 'a: "b"', with: "" })), [
    'bank.yaml:3: the source has this more than once, at both.ts:5, more.ts:1: a: "b"',
  ]);
});

test("a comment alone is no text to find", () => {
  assert.deepEqual(messages(at(3, { replace: "/** Adds. */", with: "" })), [
    "bank.yaml:3: the source has nowhere: /** Adds. */",
  ]);
});

test("two edits of the same text are told, whatever layout each gives it", () => {
  const [one, other] = [at(3, { replace: "a + b", with: "" }), at(4, { replace: "return a+b;", with: "" })];
  assert.deepEqual(messages(one, other), ["bank.yaml:4: another edit touches this: return a+b;"]);
  assert.ok(overlap(spansOf(program, [one]), spansOf(program, [other])));
  assert.throws(() => applyEdits(program, [one, other]), /^DataError: bank\.yaml:4: another edit/);
});

const TEXT = 'import { b } from "./b.ts";\nimport c from "c";\nexport const a = b + c;\n';
const sources = new Map([
  ["a.ts", TEXT],
  ["b.ts", "export const b = 1;\nexport function more() {}\nconst own = 2;\n"],
]);

const cases: readonly (readonly [what: string, wanted: readonly string[], added: string])[] = [
  ["comes from the file that exports it", ["more"], 'import { more } from "./b.ts";\n'],
  ["comes from a package", ["hash from node:crypto"], 'import { hash } from "node:crypto";\n'],
  ["is a package's default", ["default as d from d"], 'import { default as d } from "d";\n'],
  ["is imported already", ["b", "default as c from c"], ""],
  ["is declared in the file itself", ["a"], ""],
];
for (const [what, wanted, added] of cases) {
  test(`a name that ${what} is imported once`, () => {
    assert.equal(withImports(sources, "a.ts", wanted), added + TEXT);
  });
}

test("a name that no file exports is unknown, and one from a package is not", () => {
  assert.deepEqual(unknownNames(sources, ["more", "own", "none", "hash from node:crypto"]), ["own", "none"]);
});
