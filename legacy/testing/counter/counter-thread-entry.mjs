// The thread's first file is plain JavaScript: Node 20 applies no TypeScript loader to the entry of a thread.
import { tsImport } from "tsx/esm/api";

await tsImport("./counter-thread.ts", import.meta.url);
