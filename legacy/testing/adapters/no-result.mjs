// Answers each call without a result.
import { serveLines, write } from "./serve-lines.mjs";

serveLines(({ id }) => write({ jsonrpc: "2.0", id }));
