// The way in for test files that run without a TypeScript loader, on any supported version of Node.
import { builtProgram } from "../bin/door.cjs";

const built = builtProgram("node-test.js");
const fromSources = async () => (await import("tsx/esm/api")).tsImport("./node-test.ts", import.meta.url);

export const { conformanceTests } = await (built === undefined ? fromSources() : import(built));
