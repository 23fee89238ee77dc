import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../legacy/paths.ts";
import { actionText, configSchema } from "./option-files.ts";

test("the schema of configuration files is that of the options: npm run options", () => {
  assert.deepEqual(JSON.parse(readFileSync(PATHS.configSchema, "utf8")), JSON.parse(configSchema()));
});

test("the action's inputs are those of the options: npm run options", () => {
  const text = readFileSync(join(PATHS.root, "action.yml"), "utf8");
  assert.equal(text, actionText(text));
});
