import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutcome } from "../outcome.ts";
import type { Rule } from "../rule-book.ts";
import { blame, type Unwanted } from "./blame.ts";

const rule = (id: string, statement: string, answer?: string): readonly [string, Rule] => [
  id,
  {
    id,
    statement,
    area: "things",
    section: "Things",
    level: "required",
    observable: true,
    ...(answer === undefined ? {} : { answer }),
  },
];
const book = {
  rules: new Map([
    rule("THING-1", "A thing without a name is refused with 400."),
    rule("THING-2", "A thing that is gone is refused with 409 `THING_GONE`."),
    rule("THING-3", "A thing can be had for a minute."),
    rule("SERVED-1", "A valid request for a thing is answered 200."),
    rule("CODE-1", "`NO_NAME` comes where there is no name.", "400 NO_NAME"),
    rule("CODE-2", "`NO_COLOUR` comes where there is no colour.", "400 NO_COLOUR"),
    rule("CODE-3", "`THING_TAKEN` comes where somebody has it.", "409 THING_TAKEN"),
    rule("STATUS-1", "No status is answered but those that are listed."),
  ]),
};

function blamed(rules: readonly string[], wanted: string, got: string, more: Partial<Unwanted> = {}) {
  const accepted = parseOutcome(wanted);
  if (typeof accepted === "string") throw new Error(accepted);
  const [status, code] = got.split(" ");
  const { rules: found, received } = blame(book, {
    rules,
    accepted: [accepted],
    status: Number(status),
    code,
    successRule: "SERVED-1",
    judged: [],
    ...more,
  });
  return received === undefined ? found : [...found, `received ${received}`];
}

test("where the status is right and the rule leaves the code to others, the rule of the code is broken", () => {
  assert.deepEqual(blamed(["THING-1"], "400 NO_NAME", "400 NO_COLOUR"), ["CODE-2", "THING-1"]);
});

test("a rule that names its code is broken by another code, and by another status", () => {
  const other = ["THING-2", "received CODE-3"];
  assert.deepEqual(blamed(["THING-2"], "409 THING_GONE", "409 THING_TAKEN"), other);
  assert.deepEqual(blamed(["THING-2"], "409 THING_GONE", "200"), ["THING-2"]);
  assert.deepEqual(blamed(["THING-1"], "400 NO_NAME", "409 THING_TAKEN"), ["THING-1", "received CODE-3"]);
});

test("a refusal of what must be served breaks the rule of the operation, where the vector names it", () => {
  const refusal = ["SERVED-1", "THING-3", "received CODE-1"];
  assert.deepEqual(blamed(["THING-3", "SERVED-1"], "200", "400 NO_NAME"), refusal);
  assert.deepEqual(blamed(["THING-3"], "200", "400 NO_NAME"), ["THING-3", "received CODE-1"]);
});

test("a code whose rule the step names breaks that rule first", () => {
  assert.deepEqual(blamed(["CODE-1", "CODE-2"], "400 NO_NAME", "400 NO_COLOUR"), ["CODE-2", "CODE-1"]);
  assert.deepEqual(blamed(["THING-3", "CODE-1"], "200", "400 NO_NAME"), ["THING-3", "CODE-1"]);
  assert.deepEqual(blamed(["CODE-1", "SERVED-1"], "200", "400 NO_NAME"), ["CODE-1", "SERVED-1"]);
});

test("a status or code that nobody may answer breaks the rule that says so", () => {
  const judged = (path: string) => ({
    judged: [{ rule: "STATUS-1", differences: [{ path, expected: "one of 200, 400", got: "418" }] }],
  });
  assert.deepEqual(blamed(["THING-1"], "400 NO_NAME", "418", judged("status")), ["STATUS-1", "THING-1"]);
  assert.deepEqual(blamed(["THING-1"], "400 NO_NAME", "418", judged("colour")), ["THING-1"]);
});
