import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import { JsonRpcClient } from "./json-rpc-client.ts";
import { lineSplitter } from "./line-splitter.ts";
import { lineWriter } from "./line-writer.ts";

export interface LineClientOptions {
  /** Where answers come from, one a line. */
  readonly input: Readable;
  /** Where requests go to, one a line. */
  readonly output: Writable;
  /** How long a call may take, in milliseconds; 0 is for ever. */
  readonly timeoutMs: number;
  /** What the other side is called in faults. */
  readonly peer: string;
  /** What the implementation has written for people so far. */
  readonly log: () => string;
  /** Called once, when the conversation has broken down. */
  readonly onFatal: () => void;
  /** Called when either direction is closed or broken, with a line that says which. */
  readonly onBroken: (message: string) => void;
}

/**
 * JSON-RPC over lines of UTF-8 (adapter protocol, "Messages"). Requests are queued by `output` while the other side
 * does not read; answers are read all the while, so that neither side waits for the other.
 */
export function lineClient(options: LineClientOptions): JsonRpcClient {
  const { input, output, timeoutMs, peer, log, onFatal, onBroken } = options;
  const client = new JsonRpcClient({
    send: lineWriter(output),
    timeoutMs,
    peer,
    silenceHint: "is its output flushed after every line?",
    log,
    onFatal: () => {
      input.destroy();
      output.destroy();
      onFatal();
    },
  });
  const push = lineSplitter(
    MAX_ANSWER_BYTES,
    (line) => {
      if (isUtf8(line)) client.receive(line.toString());
      else client.fail(`${peer} sent a line that is not UTF-8`);
    },
    () => client.fail(`${peer} sent a line of more than ${MAX_ANSWER_SHOWN}`),
  );
  input.on("data", push);
  input.on("end", () => onBroken(`${peer} closed its output`));
  input.on("error", (error) => onBroken(`${peer}'s output broke: ${error.message}`));
  output.on("error", (error) => onBroken(`${peer} takes no more input: ${error.message}`));
  return client;
}
