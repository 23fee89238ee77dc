// The worker's first file is plain JavaScript: Node 20 applies no TypeScript loader to the entry of a thread.
import { tsImport } from "tsx/esm/api";

await tsImport("./module-worker-host.ts", import.meta.url);
