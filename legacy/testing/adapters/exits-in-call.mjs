// Exits in the middle of a call.
import { serveLines } from "./serve-lines.mjs";

serveLines(() => process.exit(4));
