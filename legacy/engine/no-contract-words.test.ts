/** What is not the contract's folder knows of the contract by the one interface, and by no word of its own. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { implementationInfoSchema } from "../adapters/implementation-info.schema.ts";
import { PATHS } from "../paths.ts";
import { contractWords } from "../testing/words/contract-words.ts";
import { type FoundWord, wordFinder } from "../testing/words/find-words.ts";

type Found = FoundWord & { readonly file: string };

/** A word that is the contract's and something else as well. */
interface Exception {
  /** The word, or the one token that holds it. */
  readonly word: string;
  /** The one file in which it may stand; any unless told. */
  readonly file?: string;
  readonly why: string;
}

const PLAIN: readonly Exception[] = [
  { word: "id", why: "of vectors, rules and results" },
  { word: "name", why: "of anything" },
  { word: "code", why: "of an answer: where it stands, the contract says" },
  { word: "message", why: "of an error" },
  { word: "kind", why: "of anything" },
  { word: "bytes", why: "what texts are made of" },
  { word: "cost", why: "what work takes" },
  { word: "pool", why: "of instances of an implementation" },
  { word: "PoolOptions", why: "of instances of an implementation" },
  { word: "Symbol", why: "JavaScript's own" },
  { word: "scope", why: "HTML: of a table's heading" },
  { word: "objectMode", why: "Node: of a stream" },
  { word: "encodeURI", why: "JavaScript's own" },
  { word: "decodeURIComponent", why: "JavaScript's own" },
  { word: "base-uri", why: "of a content security policy" },
  { word: "rejectUnauthorized", why: "Node: of a TLS connection" },
  { word: "platform", file: "adapters/process-group.ts", why: "Node: the operating system" },
  { word: "platform", file: "adapters/node-process.ts", why: "Node: the operating system" },
  { word: "platform", file: "adapters/resident-memory.ts", why: "Node: the operating system" },
  { word: "draft", file: "adapters/protocol.schema.ts", why: "JSON Schema: of its edition" },
  { word: "launch-draft-conformance", why: "the kit's name" },
  { word: "60000", file: "engine/vectors/duration.ts", why: "a minute" },
  { word: "3600000", file: "engine/vectors/duration.ts", why: "an hour" },
  { word: "60000", file: "engine/play/start-times.ts", why: "a whole minute of the clock" },
  { word: "60000", file: "engine/run/drive.ts", why: "room between two vectors" },
  { word: "30000", file: "adapters/module-process.ts", why: "patience with a module that loads" },
  { word: "30000", file: "adapters/stdio.ts", why: "patience with a process that starts" },
  { word: "30000", file: "client-doors/resident-client-door.ts", why: "patience with a process that starts" },
];

/** Of a request, as the adapter protocol carries it. */
const REQUEST: readonly Exception[] = [
  { word: "bearer", why: "adapter protocol: of a request" },
  { word: "Idempotency-Key", why: "adapter protocol: of a request" },
];

/** What an implementation tells of itself (adapter protocol), which adapters alone read. */
const TOLD = new Set(membersOf(implementationInfoSchema).map(lettersOf));

const EXCEPTIONS = [...PLAIN, ...REQUEST];
const FOUND = ["engine", "adapters", "client-doors", "reports", "policies"].flatMap(wordsBelow);

test("no word of the contract stands outside its folder", () => {
  const odd = FOUND.filter(
    (found) => !isTold(found) && !EXCEPTIONS.some((exception) => isExcepted(found, exception)),
  );
  assert.deepEqual([...new Set(odd.map(({ file, line, token }) => `${file}:${line} ${token}`))], []);
});

test("every exception is needed", () => {
  const idle = EXCEPTIONS.filter((exception) => !FOUND.some((found) => isExcepted(found, exception)));
  assert.deepEqual(idle, []);
});

test("words are found in names of every case, in strings and in comments", () => {
  const find = wordFinder({
    names: new Set(["termsHash", "INVALID_PROOF", "draft"]),
    ids: new Set(["LIMIT-4"]),
    paths: new Set(["/v1/build"]),
    numbers: new Set([30_000]),
  });
  const wordsIn = (text: string) => find(text).map(({ word, line }) => `${line} ${word}`);
  assert.deepEqual(wordsIn("a.termsHash;\nfirstTermsHash = terms_hash\n--terms-hash"), [
    "1 termsHash",
    "2 termsHash",
    "2 termsHash",
    "3 termsHash",
  ]);
  assert.deepEqual(wordsIn("// two drafts: LIMIT-4\nINVALID_PROOF_AGAIN"), [
    "1 draft",
    "1 LIMIT-4",
    "2 INVALID_PROOF",
  ]);
  assert.deepEqual(wordsIn('"/v1/build/x" + 30_000 + 30000'), ["1 /v1/build", "1 30000", "1 30000"]);
  assert.deepEqual(wordsIn("draughts, terms hash, proof, LIMIT-40, limit-4, 130000"), []);
});

/** Every word of the contract in the sources of a folder, tests and what only they use left out. */
function wordsBelow(folder: string): readonly Found[] {
  const kit = join(PATHS.root, "legacy");
  const find = wordFinder(contractWords());
  return readdirSync(join(kit, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => /\.(css|js|mjs|ts)$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
    .flatMap((file) => find(readFileSync(join(kit, file), "utf8")).map((found) => ({ ...found, file })));
}

function isExcepted({ word, token, file }: Found, exception: Exception): boolean {
  return (
    (word === exception.word || token === exception.word) &&
    (exception.file === undefined || exception.file === file)
  );
}

function isTold({ token, file }: Found): boolean {
  return file.startsWith("adapters/") && TOLD.has(lettersOf(token));
}

/** A name as it is in any case: `signedBytes`, `SignedBytes` and `signed-bytes` are one. */
function lettersOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Names of members at any depth of a schema. */
function membersOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(membersOf)];
}
