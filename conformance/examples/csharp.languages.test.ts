import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { shellQuote } from "../reports/reproduction-command.ts";
import { trySkeleton } from "../testing/examples/skeleton-trial.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

// Debian has no .NET: its Mono compiles and runs the same source, around a stand-in for the library that Mono lacks.
const STAND_IN = fileURLToPath(new URL("../testing/examples/system-text-json.cs", import.meta.url));

test("the C# skeleton is red as written, and around a right profile keeps all that it states", async (context) => {
  const trial = {
    language: "csharp",
    file: "skeleton.cs",
    probed: "probed.cs",
    inFlight: true,
    prints: true,
    instead: {
      build: `mcs -out:skeleton.exe skeleton.cs ${shellQuote(STAND_IN)}`,
      run: (folder: string) => `mono ${shellQuote(`${folder}/skeleton.exe`)}`,
    },
  } as const;
  await trySkeleton(trial, temporaryDirectory(context));
});
