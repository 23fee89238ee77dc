import { test } from "node:test";
import { trySkeleton } from "../testing/examples/skeleton-trial.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("the Python skeleton is red as written, and around a right profile keeps all that it states", async (context) => {
  const trial = {
    language: "python",
    file: "skeleton.py",
    probed: "probed.py",
  } as const;
  await trySkeleton(trial, temporaryDirectory(context));
});
