import assert from "node:assert/strict";
import { test } from "node:test";
import { tokensOf, withoutLayout } from "./tokens.ts";

const texts = (text: string) => tokensOf(text).map((token) => token.text);

test("tokens are what stands between white space and comments, each with its place", () => {
  const text = `const a = "x // y"; // why\n/* more */ b(\`\${a} 1\`);`;
  assert.deepEqual(texts(text), [
    "const",
    "a",
    "=",
    '"x // y"',
    ";",
    "b",
    "(",
    `\`\${`,
    "a",
    "} 1`",
    ")",
    ";",
  ]);
  for (const token of tokensOf(text)) assert.equal(text.slice(token.start, token.end), token.text);
});

test("the ends of nested type arguments are a token each", () => {
  assert.deepEqual(texts("Map<A, Set<B>>"), texts("Map<A, Set<B> >"));
});

const laidOut: readonly (readonly [what: string, text: string, plain: string])[] = [
  ["a comment", "a; // b\nc /* d */;", "a; c;"],
  ["parentheses around what is returned", "return (\n  a &&\n  b\n);", "return a && b;"],
  ["parentheses around what is thrown", "throw (\n  a ??\n  b\n);", "throw a ?? b;"],
  ["parentheses around an arrow's body", "f(() => (\n  a ? b : c\n))", "f(() => a ? b : c)"],
  [
    "parentheses around a template",
    `return (\n  \`\${a}\` + \`\${b} c \${d}\`\n);`,
    `return \`\${a}\` + \`\${b} c \${d}\`;`,
  ],
  ["an operator before the first type", "type A =\n  | B\n  | C;", "type A = B | C;"],
];
for (const [what, text, plain] of laidOut) {
  test(`layout: ${what}`, () => {
    const without = withoutLayout(text);
    assert.deepEqual(texts(without), texts(plain));
    assert.equal(without.length, text.length);
  });
}

const meant = ["return (a + b) * c;", "() => ({ a })", "() => (a, b)", "f((a) => b)", "a | b", "(a)"];
for (const text of meant) {
  test(`${text} has no layout to lose`, () => {
    assert.equal(withoutLayout(text), text);
  });
}

test("no line break comes to stand behind a return", () => {
  assert.match(withoutLayout("return (\n  a\n);"), /^return +a/);
});
