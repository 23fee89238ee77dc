/**
 * The seeded reference as a program that speaks the adapter protocol on its standard input and output.
 * Usage: over-stdio.ts [--instances N] [--delay MS] [--record FOLDER]
 */
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { capabilities, createService, facts, implementation } from "./seeded.ts";

interface Message {
  readonly id: unknown;
  readonly method: string;
  readonly params: {
    readonly service?: string;
    readonly nowMs: number;
    readonly ms: number;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
}

interface Running {
  readonly clock: { nowMs: number };
  readonly service: ReturnType<typeof createService>;
}

const { values: options } = parseArgs({
  options: {
    instances: { type: "string", default: "1" },
    delay: { type: "string", default: "0" },
    record: { type: "string" },
  },
});
const instances = Number(options.instances);
const delayMs = Number(options.delay);
const services = new Map<string, Running>();
/** Each process writes a file of its own, by their order. */
const record =
  options.record === undefined
    ? undefined
    : join(options.record, `${`${readdirSync(options.record).length}`.padStart(4, "0")}.jsonl`);
if (record !== undefined) appendFileSync(record, "");

for await (const line of createInterface({ input: process.stdin })) {
  if (record !== undefined) appendFileSync(record, `${line}\n`);
  const message = JSON.parse(line) as Message;
  if (delayMs > 0 && message.method === "handle") answerLater(message);
  else answer(message);
}

async function answerLater(message: Message): Promise<void> {
  await sleep(delayMs);
  answer(message);
}

function answer({ id, method, params }: Message): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: perform(method, params) })}\n`);
  if (method === "shutdown") process.exit(0);
}

function perform(method: string, params: Message["params"]): unknown {
  if (method === "initialize") {
    const able = instances > 1 ? { ...capabilities, instances } : capabilities;
    return { protocol: 1, implementation, capabilities: able, facts };
  }
  if (method === "shutdown") return {};
  if (method === "start") {
    const name = params.service ?? (instances > 1 ? `${services.size + 1}` : "");
    const clock = { nowMs: params.nowMs };
    services.set(name, { clock, service: createService({ now: () => clock.nowMs }) });
    return instances > 1 ? { service: name } : {};
  }
  const running = services.get(params.service ?? "");
  if (running === undefined) return { nowMs: 0 };
  if (method === "advance") {
    running.clock.nowMs += params.ms;
    return { nowMs: running.clock.nowMs };
  }
  const { bodyBase64 } = params;
  return running.service.handle(
    bodyBase64 === undefined
      ? params
      : { ...params, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) },
  );
}
