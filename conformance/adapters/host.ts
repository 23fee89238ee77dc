/** The messages of a host program: a program of the kit that runs a user's module. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { JsonObject } from "../data/json.ts";
import { errorText } from "../data/text.ts";
import { ImplementationError } from "./adapter.ts";

/** File descriptors of a host for requests and answers. The standard streams belong to the module. */
export const HOST_DESCRIPTORS = [3, 4] as const;
const [REQUESTS, ANSWERS] = HOST_DESCRIPTORS;

/**
 * Answers the requests of the kit, one JSON-RPC message per line, until `shutdown`.
 * @param resultOf returns the result of a request
 * @returns a function that sends a request to the kit, and returns the result
 */
export function serveKit(
  resultOf: (method: string, params: JsonObject) => Promise<unknown>,
): (method: string, params: object) => Promise<JsonObject> {
  /** Callbacks for the requests to the kit that have no response yet, by ID. */
  const pending = new Map<number, (result: JsonObject | undefined, error?: { message: string }) => void>();
  let lastId = 0;

  const receive = async (line: string): Promise<void> => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) {
      pending.get(id)?.(result, error);
      pending.delete(id);
      return;
    }
    const outcome = await resultOf(method, params).then(
      (value) => ({ result: value ?? null }),
      (thrown: unknown) => {
        const data = thrown instanceof ImplementationError ? thrown.details : {};
        return { error: { message: errorText(thrown), data } };
      },
    );
    write({ id, ...outcome });
    if (method === "shutdown") process.exit(0);
  };

  const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
  // The kit has ended, so this program exits, even if the module has pending work.
  requests.on("close", () => process.exit());
  createInterface({ input: requests }).on("line", (line) => void receive(line));
  return (method, params) => {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, (result, error) => (result ? resolve(result) : reject(new Error(error?.message))));
      write({ id, method, params });
    });
  };
}

function write(message: object): void {
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
}
