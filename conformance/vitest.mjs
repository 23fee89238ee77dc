// The way in for vitest, which leaves what is installed to Node. A loader would give the sources a vitest of their own.
import { afterAll, describe, test } from "vitest";
import { builtProgram } from "../bin/door.cjs";

const built = builtProgram("vitest-tests.js");
const fromSources = async () =>
  (await import("tsx/esm/api")).tsImport("./test-doors/vitest-tests.ts", import.meta.url);
const { vitestTests } = await (built === undefined ? fromSources() : import(built));

export const conformanceTests = vitestTests({ afterAll, describe, test });
