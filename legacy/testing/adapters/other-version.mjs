// Speaks a later version of the protocol.
import { IDENTITY, write } from "./serve-lines.mjs";

write({ jsonrpc: "2.0", id: 1, result: { ...IDENTITY, protocol: 2 } });
process.stdin.resume();
