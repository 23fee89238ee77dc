// Answers everything but `handle`.
import { serveLines } from "./serve-lines.mjs";

serveLines(() => process.stderr.write("thinking\n"));
