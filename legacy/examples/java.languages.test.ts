import { test } from "node:test";
import { trySkeleton } from "../testing/examples/skeleton-trial.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("the Java skeleton is red as written, and around a right profile keeps all that it states", async (context) => {
  const trial = {
    language: "java",
    file: "Skeleton.java",
    probed: "probed.java",
  } as const;
  await trySkeleton(trial, temporaryDirectory(context));
});
