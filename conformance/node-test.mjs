// The way in for test files that run without a TypeScript loader, on any supported version of Node.
import { tsImport } from "tsx/esm/api";

export const { conformanceTests } = await tsImport("./node-test.ts", import.meta.url);
