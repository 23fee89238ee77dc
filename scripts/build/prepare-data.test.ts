import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { clientRuleBook } from "../../legacy/contract/client/client-rule-book.ts";
import {
  compileResponses,
  FORMAT_CHECKS,
  PREPARED_RESPONSES,
  type ResponseValidators,
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
import { Prepared } from "../../legacy/engine/data/prepared.ts";
import { compileSchema, preparedValidator } from "../../legacy/engine/data/schema.ts";
import { displayPath, readYaml } from "../../legacy/engine/data/yaml-source.ts";
import { type PackedRuleBook, unpackRuleBook } from "../../legacy/engine/rule-book.ts";
import {
  type PackedSteps,
  type PackedSuites,
  unpackSuites,
} from "../../legacy/engine/vectors/packed-suites.ts";
import type { Vector } from "../../legacy/engine/vectors/vector.ts";
import {
  loadMutants,
  type MutantSuite,
  mutantSources,
  PREPARED_MUTANTS,
  unpackMutants,
} from "../../legacy/mutants/suite.ts";
import { breaksSources, PREPARED_BREAKS, scanBreaks } from "../../legacy/mutants/traceability.ts";
import { PATHS } from "../../legacy/paths.ts";
import { prepareData } from "./prepare-data.ts";

interface Bundles {
  bundleValidators(files: readonly string[]): Promise<void>;
}
const bundles: Bundles = await import(new URL("bundles.mjs", import.meta.url).href);

const folder = mkdtempSync(join(tmpdir(), "launch-draft-prepared-"));
const prepared = new Prepared(folder);
before(() => prepareData(folder, bundles.bundleValidators));
after(() => rmSync(folder, { recursive: true }));

const NAMES = suiteFiles();
const FILES = NAMES.map((name) => join(PATHS.suites, name));

/** The suites that were prepared, and of which files steps were fetched. */
function unpacked(otherwise: (id: string) => Vector | undefined = () => undefined, gone = "") {
  const fetched: string[] = [];
  const packed = prepared.value(PREPARED_SUITES, suiteSources(NAMES)) as PackedSuites;
  const suites = unpackSuites(packed, FILES.map(displayPath), {
    stepsOf: (file) => {
      const name = NAMES[file] ?? "";
      fetched.push(name);
      if (name === gone) return undefined;
      return prepared.value(preparedSteps(name), [FILES[file] ?? ""]) as PackedSteps;
    },
    otherwise,
  });
  return { suites, fetched };
}

test("prepared suites are what their files come to, in the same order", () => {
  assert.deepEqual(unpacked().suites, loadKitData().suites);
});

test("no steps are fetched but those that are looked at, and each file's once", () => {
  const { suites, fetched } = unpacked();
  const own = suites.vectors.filter(({ suite, needs, rules }) => suite === "platform" && needs && rules);
  assert.deepEqual(fetched, []);
  for (const { steps, row } of own) assert.ok(steps.length > 0 && row);
  assert.deepEqual(fetched, ["platform.yaml"]);
});

test("steps that are gone are read from the files, and a vector that is gone is a fault with its place", () => {
  const { vectors } = loadKitData().suites;
  const first = vectors.find(({ suite }) => suite === "platform") as Vector;
  const found = unpacked((id) => vectors.find((vector) => vector.id === id), "platform.yaml").suites;
  assert.deepEqual(found.vectors.find(({ id }) => id === first.id)?.steps, first.steps);
  const lost = unpacked(undefined, "platform.yaml").suites.vectors.find(({ id }) => id === first.id);
  assert.throws(() => lost?.steps, {
    name: "DataError",
    message: `vectors/suites/platform.yaml:${first.place.line}: ${first.id} is no longer there`,
  });
});

test("the prepared rules, mutants and OpenAPI file are what theirs come to", () => {
  const rules = prepared.value(PREPARED_RULE_BOOK, RULE_BOOK_PATHS) as PackedRuleBook;
  assert.deepEqual(unpackRuleBook(rules), ruleBook());
  const bank = prepared.value(PREPARED_MUTANTS.services, mutantSources("services")) as MutantSuite;
  assert.deepEqual(unpackMutants(bank), loadMutants("services", ruleBook()));
  const clients = prepared.value(PREPARED_MUTANTS.clients, mutantSources("clients")) as MutantSuite;
  assert.deepEqual(unpackMutants(clients), loadMutants("clients", clientRuleBook()));
  assert.deepEqual(prepared.value(PREPARED_BREAKS, breaksSources), scanBreaks());
  assert.deepEqual(prepared.value(PREPARED_OPENAPI, [PATHS.openapi]), openapi());
});

/** What a validator says of a value: the same of the prepared one and of one that is compiled. */
function errorsOf(validate: ValidateFunction, value: unknown): unknown {
  return validate(value) ? [] : JSON.parse(JSON.stringify(validate.errors));
}

test("prepared validators find what compiled ones find", () => {
  const sound = [
    [PATHS.suiteSchema, readYaml(FILES[0] ?? "").value],
    [PATHS.orderSchema, readYaml(PATHS.order).value],
    [PATHS.goldenSchema, JSON.parse(readFileSync(join(PATHS.golden, "happy-path.json"), "utf8"))],
    [PATHS.goldenIndexSchema, JSON.parse(readFileSync(join(PATHS.golden, "index.json"), "utf8"))],
    [PATHS.baselineSchema, { known: [{ id: "a/b", rules: ["LIMIT-1"], reason: "x" }] }],
    [PATHS.choicesSchema, {}],
    [PATHS.reportSchema, {}],
  ] as const;
  for (const [path, value] of sound) {
    const validate = prepared.module(preparedValidator(path), [path]) as ValidateFunction;
    const { validate: compiled } = compileSchema(path);
    for (const told of [value, { ...value, unknown: 1 }, Object.entries(value).slice(1), null, "text"])
      assert.deepEqual(errorsOf(validate, told), errorsOf(compiled, told), path);
  }
});

test("prepared validators of answers find what compiled ones find", () => {
  const make = prepared.module(PREPARED_RESPONSES, [PATHS.openapi]) as (
    formats: typeof FORMAT_CHECKS,
  ) => ResponseValidators;
  const validators = make(FORMAT_CHECKS);
  const compiled = compileResponses(FORMAT_CHECKS).validators;
  const { steps } = JSON.parse(readFileSync(join(PATHS.golden, "happy-path.json"), "utf8"));
  const bodies = steps.map(({ response }: { response?: { body: object } }) => response?.body ?? {});
  const spoilt = bodies.map((body: object) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value, "0OIl", 1]])),
  );
  assert.deepEqual(Object.keys(validators), Object.keys(compiled));
  for (const [operation, validate] of Object.entries(validators)) {
    for (const body of [...bodies, ...spoilt, null])
      assert.deepEqual(errorsOf(validate, body), errorsOf(compiled[operation] as ValidateFunction, body));
  }
});
