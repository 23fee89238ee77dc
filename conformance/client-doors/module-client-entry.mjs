// The first file of a module's process is plain JavaScript, so that it needs no loader, however the kit was started.
import { tsImport } from "tsx/esm/api";

await tsImport("./module-client-host.ts", import.meta.url);
