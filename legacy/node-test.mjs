// The way in for test files that run without a TypeScript loader, on any supported version of Node.
import { loadProgram } from "../bin/load-program.mjs";

export const { conformanceTests } = await loadProgram(
  "node-test.js",
  new URL("./node-test.ts", import.meta.url).href,
);
