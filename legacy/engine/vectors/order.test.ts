import assert from "node:assert/strict";
import { test } from "node:test";
import { PATHS } from "../../paths.ts";
import { temporaryFile } from "../../testing/temporary-file.ts";
import { inOrder } from "./in-order.ts";
import { loadOrder } from "./order.ts";
import type { Step, Vector } from "./vector.ts";

const STAGES = `stages:
  - about: reading
    verbs: [read]
    vectors: [reads/shape, reads]
  - about: writing
    verbs: [write]
    vectors: [writes, limits]
`;
const place = { file: "suite.yaml", line: 1 };

function vectorOf(id: string, verbs: readonly string[], rules: readonly string[]): Vector {
  const steps = verbs.map((verb): Step => ({ kind: "operation", verb, fields: {}, place }));
  const [suite = ""] = id.split("/");
  return {
    id,
    suite,
    title: id,
    rules,
    place,
    clock: "between-seconds",
    needs: new Set(),
    totalWaitMs: 0,
    row: {},
    steps,
  };
}

test("vectors come as a service is built, what one rule decides before what several do", (context) => {
  const order = loadOrder(temporaryFile(context, "order.yaml", STAGES), PATHS.orderSchema);
  const vectors = [
    vectorOf("elsewhere/all", [], ["A-1", "A-2"]),
    vectorOf("elsewhere/one", [], ["A-1"]),
    vectorOf("limits/one", ["read"], ["A-1"]),
    vectorOf("reads/all", ["read"], ["A-1", "A-2"]),
    vectorOf("reads/after-a-write", ["write", "read"], ["A-1"]),
    vectorOf("reads/one", ["read"], ["A-1"]),
    vectorOf("reads/shape/row", ["read"], ["A-1", "A-2"]),
    vectorOf("writes/one", ["write"], ["A-1"]),
  ];
  assert.deepEqual(
    inOrder(vectors, order).map(({ id }) => id),
    [
      "reads/shape/row",
      "reads/one",
      "reads/all",
      "writes/one",
      "limits/one",
      "reads/after-a-write",
      "elsewhere/all",
      "elsewhere/one",
    ],
  );
  assert.deepEqual(inOrder(vectors, undefined), vectors);
});

test("a name that stands twice is told with its place", (context) => {
  const file = temporaryFile(context, "order.yaml", STAGES.replace("limits]", "reads]"));
  assert.throws(() => loadOrder(file, PATHS.orderSchema), /order\.yaml:7:23: "reads" stands in two stages/);
});
