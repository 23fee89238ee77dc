// Answers each call with a JSON-RPC error.
import { serveLines, write } from "./serve-lines.mjs";

serveLines(({ id }) => write({ jsonrpc: "2.0", id, error: { code: -32603, message: "out\nof order" } }));
