/**
 * The client as a program: reads a launch as JSON from standard input, and writes the result as one line of
 * JSON. With `--resident`, it keeps running, and performs launches from JSON-RPC lines, several at a time.
 */
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { client, launch } from "./client.ts";
import type { Launch } from "./protocol.ts";

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params?: Launch;
}

if (process.argv.includes("--resident")) await serveLines();
else write(await launch(JSON.parse(await text(process.stdin)) as Launch));

async function serveLines(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const message = JSON.parse(line) as Message;
    answer(message).then(
      (result) => write({ jsonrpc: "2.0", id: message.id, result }),
      (error) => write({ jsonrpc: "2.0", id: message.id, error: { code: -32000, message: String(error) } }),
    );
    if (message.method === "shutdown") break;
  }
}

async function answer({ method, params }: Message): Promise<unknown> {
  if (method === "initialize") return { protocol: 1, client };
  if (method === "launch" && params !== undefined) return launch(params);
  if (method === "shutdown") return {};
  throw new Error(`unknown method ${method}`);
}

function write(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
