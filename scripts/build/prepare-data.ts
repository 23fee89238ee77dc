/** Prepares the kit's data for its built programs: see `legacy/engine/data/prepared.ts`. */

import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  clientSuiteFiles,
  clientSuiteSources,
  loadClientData,
  PREPARED_CLIENT_SUITES,
} from "../../legacy/contract/client/client-data.ts";
import {
  CLIENT_RULE_BOOK_PATHS,
  clientRuleBook,
  PREPARED_CLIENT_RULE_BOOK,
} from "../../legacy/contract/client/client-rule-book.ts";
import {
  compileResponses,
  FORMAT_CHECKS,
  PREPARED_RESPONSES,
} from "../../legacy/contract/judge/response-schemas.ts";
import {
  loadKitData,
  PREPARED_SUITES,
  preparedSteps,
  suiteFiles,
  suiteSources,
} from "../../legacy/contract/kit-data.ts";
import { openapi, PREPARED_OPENAPI } from "../../legacy/contract/openapi.ts";
import { PREPARED_RULE_BOOK, RULE_BOOK_PATHS, ruleBook } from "../../legacy/contract/rule-book.ts";
import { DataError } from "../../legacy/engine/data/data-error.ts";
import { digestOfFile, PREPARED_LIST, type PreparedEntry } from "../../legacy/engine/data/prepared.ts";
import { compileSchema, preparedValidator } from "../../legacy/engine/data/schema.ts";
import { displayPath } from "../../legacy/engine/data/yaml-source.ts";
import type { RuleBook } from "../../legacy/engine/rule-book.ts";
import { packRuleBook } from "../../legacy/engine/rule-book.ts";
import { packSuites } from "../../legacy/engine/vectors/packed-suites.ts";
import {
  loadMutants,
  mutantSources,
  PREPARED_MUTANTS,
  packMutants,
  type Side,
} from "../../legacy/mutants/suite.ts";
import { breaksSources, PREPARED_BREAKS, scanBreaks } from "../../legacy/mutants/traceability.ts";
import { PATHS } from "../../legacy/paths.ts";

// The same instance that compiles the schemas, rather than one that is bundled.
const load = createRequire(import.meta.url);
const { _ }: typeof import("ajv/dist/2020.js") = load("ajv/dist/2020.js");
const { default: standalone }: typeof import("ajv/dist/standalone/index.js") = load(
  "ajv/dist/standalone/index.js",
);

/** Something to prepare: its file, what it is made of, and the text that it is to have. */
interface Making {
  readonly name: string;
  readonly extension: "json" | "cjs";
  readonly of: readonly string[];
  readonly text: string;
}

/**
 * Prepares all that the sources allow: of a file with a fault nothing is made, and what reads it says so.
 * @param folder to write into
 * @param bundle puts what modules ask for into their files
 */
export async function prepareData(folder: string, bundle: (files: readonly string[]) => Promise<void>) {
  mkdirSync(folder, { recursive: true });
  // Before any of them is read: what is edited meanwhile is other than what was prepared of it.
  const digests = new Map(sources().map((path) => [path, digestOfFile(path)]));
  const making = [data, clients, serviceMutants, validators].flatMap(unlessFaulty);
  const fileOf = ({ name, extension }: Making) => `${name}.${extension}`;
  for (const one of making) writeFileSync(join(folder, fileOf(one)), one.text);
  const modules = making.filter(({ extension }) => extension === "cjs");
  await bundle(modules.map((one) => join(folder, fileOf(one))));
  const list = making.map((one): [string, PreparedEntry] => {
    const of = one.of.map((path) => [relative(folder, path), digests.get(path)]);
    const file = fileOf(one);
    return [one.name, { file, digest: digestOfFile(join(folder, file)), of: Object.fromEntries(of) }];
  });
  writeFileSync(join(folder, PREPARED_LIST), JSON.stringify(Object.fromEntries(list)));
}

function unlessFaulty(make: () => readonly Making[]): readonly Making[] {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DataError || error instanceof SyntaxError)) throw error;
    process.stderr.write(`not prepared: ${error.message}\n`);
    return [];
  }
}

/** All that anything is made of. */
function sources(): readonly string[] {
  return [
    ...new Set([
      ...suiteSources(suiteFiles()),
      ...clientSuiteSources(),
      ...mutantSources("services"),
      ...mutantSources("clients"),
      PATHS.openapi,
      ...SCHEMAS,
    ]),
  ];
}

/** @throws where a value is more than JSON can hold */
function value(name: string, of: readonly string[], told: unknown): Making {
  const text = JSON.stringify(told);
  if (!isDeepStrictEqual(JSON.parse(text), told)) throw new Error(`${name} is no JSON`);
  return { name, extension: "json", of, text };
}

function data(): readonly Making[] {
  const names = suiteFiles();
  const paths = names.map((name) => join(PATHS.suites, name));
  const { suites, steps } = packSuites(loadKitData().suites, paths.map(displayPath));
  return [
    value(PREPARED_RULE_BOOK, RULE_BOOK_PATHS, packRuleBook(ruleBook())),
    value(PREPARED_OPENAPI, [PATHS.openapi], openapi()),
    value(PREPARED_SUITES, suiteSources(names), { names, ...suites }),
    ...names.map((name, file) => value(preparedSteps(name), [paths[file] ?? ""], steps[file])),
  ];
}

function clients(): readonly Making[] {
  const names = clientSuiteFiles();
  const { digest, vectors } = loadClientData().suites;
  const shown = new Map(names.map((name) => [displayPath(join(PATHS.clientSuites, name)), name]));
  // Where the files lie is for whoever reads it to say.
  const placed = vectors.map(({ place, ...vector }) => ({
    ...vector,
    place: { file: shown.get(place.file) ?? place.file, line: place.line },
  }));
  return [
    value(PREPARED_CLIENT_RULE_BOOK, CLIENT_RULE_BOOK_PATHS, packRuleBook(clientRuleBook())),
    mutants("clients", clientRuleBook()),
    value(PREPARED_CLIENT_SUITES, clientSuiteSources(names), { names, digest, vectors: placed }),
  ];
}

function mutants(side: Side, rules: RuleBook): Making {
  return value(PREPARED_MUTANTS[side], mutantSources(side), packMutants(loadMutants(side, rules)));
}

function serviceMutants(): readonly Making[] {
  return [mutants("services", ruleBook()), value(PREPARED_BREAKS, breaksSources(), scanBreaks())];
}

/** Schemas of the files that a user gives, or has had written. */
const SCHEMAS = [
  PATHS.suiteSchema,
  PATHS.clientSuiteSchema,
  PATHS.orderSchema,
  PATHS.reportSchema,
  PATHS.baselineSchema,
  PATHS.choicesSchema,
  PATHS.configSchema,
  PATHS.goldenSchema,
  PATHS.goldenIndexSchema,
];

function validators(): readonly Making[] {
  const code = { source: true };
  const schemas = SCHEMAS.map((path): Making => {
    const { ajv, validate } = compileSchema(path, { code });
    return { name: preparedValidator(path), extension: "cjs", of: [path], text: standalone(ajv, validate) };
  });
  const { ajv, validators } = compileResponses(FORMAT_CHECKS, { code: { ...code, formats: _`formats` } });
  const names = Object.fromEntries(Object.keys(validators).map((name) => [name, name]));
  const responses = `module.exports = (formats) => { const exports = {}; ${standalone(ajv, names)}\nreturn exports; };`;
  return [...schemas, { name: PREPARED_RESPONSES, extension: "cjs", of: [PATHS.openapi], text: responses }];
}
