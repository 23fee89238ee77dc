// Answers a call in Latin-1.
import { serveLines } from "./serve-lines.mjs";

serveLines(({ id }) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":"\xe4"}\n`, "latin1"));
