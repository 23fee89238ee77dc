import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../paths.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { loadContract } from "./contract.ts";

/** A copy of the contract's data in which the first `before` of one file became `after`. */
function folderWith(context: TestContext, file: string, before: string, after: string): string {
  const folder = temporaryDirectory(context);
  cpSync(PATHS.contract, folder, { recursive: true });
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(before), `${file} holds no "${before}"`);
  writeFileSync(path, text.replace(before, after));
  return folder;
}

for (const [what, file, before, after, message] of [
  ["a rule without a level", "rules.yaml", "    level: required\n", "", /rules\.yaml:\d+:\d+: .*level/],
  [
    "a level that is none",
    "rules.yaml",
    "level: required",
    "level: requird",
    /rules\.yaml:\d+:\d+: "requird" is not one of required, open, advice$/,
  ],
  [
    "an id of a rule given twice",
    "rules.yaml",
    "id: SERVICE-2",
    "id: SERVICE-1",
    /duplicate id "SERVICE-1"$/,
  ],
  [
    "an area that is none",
    "rules.yaml",
    "area: platform",
    "area: platfrom",
    /rules\.yaml:\d+:\d+: unknown area "platfrom" \(did you mean "platform"\?\)$/,
  ],
  [
    "an unknown key",
    "rules.yaml",
    "    sides: one",
    "    side: one",
    /rules\.yaml:\d+:\d+: unknown key "side" \(did you mean "sides"\?\)$/,
  ],
  [
    "an id of a point given twice",
    "open-points.yaml",
    "id: ENVELOPE-EXTRA-FIELDS",
    "id: CLOCK-RESOLUTION",
    /open-points\.yaml:\d+:\d+: duplicate id "CLOCK-RESOLUTION"$/,
  ],
  [
    "a reference that takes no reading",
    "open-points.yaml",
    "reference: millisecond",
    "reference: minute",
    /open-points\.yaml:\d+:\d+: "minute" is none of the readings of CLOCK-RESOLUTION$/,
  ],
  [
    "a reading that is no outcome",
    "open-points.yaml",
    "outcome: 401 EXPIRED_OR_USED_CHALLENGE",
    "outcome: 401",
    /open-points\.yaml:\d+:\d+: points\.\d+\.readings\.expired\.outcome/,
  ],
] as const) {
  test(`contract data with ${what} is refused in one line`, (context) => {
    const folder = folderWith(context, file, before, after);
    assert.throws(
      () => loadContract(folder),
      (error: Error) => {
        assert.equal(error.name, "DataError");
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      },
    );
  });
}
