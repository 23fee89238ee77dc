// The way in for vitest, which leaves what is installed to Node. A loader would give the sources a vitest of their own.
import { afterAll, describe, test } from "vitest";
import { loadProgram } from "../bin/load-program.mjs";

const { vitestTests } = await loadProgram(
  "vitest-tests.js",
  new URL("./test-doors/vitest-tests.ts", import.meta.url).href,
);

export const conformanceTests = vitestTests({ afterAll, describe, test });
