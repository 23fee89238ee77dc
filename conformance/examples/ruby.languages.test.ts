import { test } from "node:test";
import { trySkeleton } from "../testing/examples/skeleton-trial.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("the Ruby skeleton is red as written, and around a right profile keeps all that it states", async (context) => {
  const trial = {
    language: "ruby",
    file: "skeleton.rb",
    probed: "probed.rb",
    inFlight: true,
    prints: true,
  } as const;
  await trySkeleton(trial, temporaryDirectory(context));
});
