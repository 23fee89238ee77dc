import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { DATA_FOLDER } from "../data/kit-files.ts";
import {
  BUILDS_PER_MINUTE,
  describedOperation,
  LIFETIME_MS,
  MAX_BODY_BYTES,
  MAX_NAME_BYTES,
  MAX_SYMBOL_BYTES,
  MAX_URI_BYTES,
  OUTCOMES,
  operationOf,
  ROUTES,
} from "./constants.ts";
import {
  compileContract,
  readClientContract,
  readContract,
  readServiceContract,
  requiresRefusal,
} from "./contract.ts";
import { codesOf, findMismatches, namedMembersOf, statusesOf, successRuleOf } from "./response-schemas.ts";

const source = join(DATA_FOLDER, "contract");
const folder = mkdtempSync(join(tmpdir(), "contract-test-"));
after(() => rmSync(folder, { recursive: true }));

test("a rule whose statement names only refusals is marked, so that a refused valid request does not violate it", () => {
  const refusal = /gets? (?:`?4\d\d|`?[A-Z_]{6,}`)|opens no|(?:is|are) refused/;
  const success = /accept|enough|served|succeed|exactly one opens|gets (?:200|a challenge|its draft)/;
  const unmarked = [...readServiceContract().rules.values()].filter(
    (rule) =>
      refusal.test(rule.statement) &&
      !success.test(rule.statement) &&
      rule.requires !== "both" &&
      !requiresRefusal(rule),
  );
  // These are about the code of a refusal.
  assert.deepEqual(
    unmarked.map(({ id }) => id),
    ["ERROR-21", "ERROR-60"],
  );
});

test("routes, limits, and lifetimes are those of the contract", () => {
  assert.deepEqual(ROUTES, {
    platform: { method: "GET", path: "/v1/platform" },
    challenge: { method: "POST", path: "/v1/auth/challenge" },
    verify: { method: "POST", path: "/v1/auth/verify" },
    build: { method: "POST", path: "/v1/launch/build" },
  });
  assert.equal(operationOf({ method: "POST", path: "/v1/platform" }), "other");
  assert.deepEqual([MAX_NAME_BYTES, MAX_SYMBOL_BYTES, MAX_URI_BYTES, MAX_BODY_BYTES], [32, 10, 200, 16_384]);
  for (const operation of ["challenge", "verify"] as const)
    assert.equal(describedOperation(operation)?.requestBody?.["x-max-bytes"], MAX_BODY_BYTES);
  assert.deepEqual(LIFETIME_MS, { challenge: 60_000, verify: 3_600_000, build: 30_000 });
  assert.ok(Number.isInteger(BUILDS_PER_MINUTE));
});

test("a compiled contract has the rules, open points, and stages of its files", () => {
  for (const [contract, folder] of [
    [readContract(source), source],
    [readClientContract(), join(source, "client")],
  ] as const) {
    const { rules, openPoints, stages } = compileContract(folder, source);
    assert.deepEqual(
      [...contract.rules],
      rules.map((rule) => [rule.id, rule]),
    );
    assert.deepEqual(
      [...contract.openPoints],
      openPoints.map((point) => [point.id, point]),
    );
    assert.deepEqual(contract.stages, stages);
  }
});

test("outcomes in the code have only statuses and codes of the OpenAPI file", () => {
  for (const { status, codes } of Object.values(OUTCOMES))
    for (const code of codes) assert.ok(codesOf(status)?.includes(code), `${status} ${code}`);
  assert.deepEqual([...(statusesOf("build")?.allowed ?? [])], [200, 400, 401, 409, 413, 429]);
  assert.equal(successRuleOf("build"), "ENDPOINT-4");
  assert.equal(codesOf(418), undefined);
});

test("a response gets a mismatch for each wrong member, with the rule of the member", () => {
  const session = { bearer: "", expiresAt: 5, scope: "all", extra: { kept: false } };
  assert.deepEqual(
    findMismatches("verify", session).map(({ rule, path, malformed }) => [rule, path, malformed]),
    [
      ["SERVICE-2", "productionApproved", true],
      ["SESSION-1", "bearer", false],
      ["SESSION-3", "scope", false],
    ],
  );
  assert.deepEqual(namedMembersOf("verify", session), { bearer: "", expiresAt: 5, scope: "all" });
  const draft = { cost: { accounts: [{ kind: "pool", bytes: -1, historicalRentLamports: "0" }] } };
  const places = findMismatches("build", draft).map(({ rule, path }) => `${rule} ${path}`);
  for (const place of ["COST-3 cost.accounts.0.bytes", "COST-4 cost.accounts.0.historicalRentLamports"])
    assert.ok(places.includes(place), place);
});

for (const [what, file, replace, lines] of [
  [
    "an ID that two rules have, and an unknown area",
    "rules.yaml",
    [/^ {2}- id: SERVICE-2\n {4}area: service$/m, "  - id: SERVICE-1\n    area: servise"],
    ['duplicate ID "SERVICE-1"; choose another', 'unknown area "servise"; did you mean "service"?'],
  ],
  [
    "an unknown reading as the `reference`",
    "open-points.yaml",
    [/reference: millisecond$/m, "reference: milisecond"],
    ['unknown reading "milisecond" of CLOCK-RESOLUTION; did you mean "millisecond"?'],
  ],
  [
    "an unknown rule in `hides`",
    "open-points.yaml",
    [/hides: \[[A-Z]+-\d+/, "hides: [WALRUS-1"],
    ['unknown rule "WALRUS-1"'],
  ],
  [
    "a vector that is listed twice",
    "order.yaml",
    [/^ {6}- challenge\/issued$/m, "$&\n      - platform/constants"],
    ['"platform/constants" is listed twice; remove one'],
  ],
  [
    "a rule that does not match the schema",
    "rules.yaml",
    [/level: required/, "level: must"],
    ['rules[0].level must be one of required, open, recommendation, got "must"'],
  ],
] as const) {
  test(`a contract with ${what} is refused with the place of each fault`, () => {
    cpSync(source, folder, { recursive: true });
    const text = readFileSync(join(folder, file), "utf8");
    const changed = text.replace(replace[0], replace[1]);
    assert.notEqual(changed, text);
    writeFileSync(join(folder, file), changed);
    assert.throws(
      () => readContract(folder),
      (error: Error) => {
        const found = error.message.replaceAll(/^.*\.yaml:\d+:\d+: /gm, "").split("\n");
        assert.deepEqual(found, lines);
        return true;
      },
    );
  });
}

test("the schema of every data file compiles in strict mode", () => {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false });
  for (const name of readdirSync(source).filter((file) => file.endsWith(".schema.json")))
    ajv.compile({ ...JSON.parse(readFileSync(join(source, name), "utf8")), $id: `test/${name}` });
});
