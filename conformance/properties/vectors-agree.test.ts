/** Tests that the model and the vectors agree. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import type { Adapter, Service } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { operationOf } from "../contract/constants.ts";
import { readContract } from "../contract/contract.ts";
import { type Exchange, readEnvelope, readInput } from "../contract/exchange.ts";
import { instant } from "../judge/clocks.ts";
import type { TimedEvent } from "../model/event.ts";
import { checkHistory } from "../model/history.ts";
import { playVector } from "../play/play.ts";
import { newContext } from "../play/vector-run.ts";
import { loadKitVectors } from "../suite/load.ts";

/** Records the requests and responses of an adapter. Requests in flight together overlap in the history. */
class Recorder implements Adapter {
  readonly #inner = new InProcessAdapter(reference);
  readonly info = this.#inner.info;
  readonly hasSeparateServices = true;
  readonly lost = undefined;
  history: TimedEvent[] = [];
  #order = 0;

  bytesToSign(message: string): Promise<Uint8Array> {
    return this.#inner.bytesToSign(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async start(nowMs: number): Promise<Service> {
    const service = await this.#inner.start(nowMs);
    const sentAt = this.#next();
    this.history.push({ event: { kind: "restart", at: instant(nowMs) }, sentAt, receivedAt: sentAt });
    return {
      get nowMs() {
        return service.nowMs;
      },
      advance: (ms) => service.advance(ms),
      close: () => service.close(),
      handle: async (request) => {
        const [started, atMs] = [this.#next(), service.nowMs];
        const envelope = await service.handle(request);
        const response = readEnvelope(envelope);
        const { message } = response.body;
        const signed = typeof message === "string" ? { signed: await this.bytesToSign(message) } : {};
        const input = readInput(request.body);
        const exchange: Exchange = {
          ...{ operation: operationOf(request), request, input },
          ...response,
          ...signed,
          ...{ atMs, answeredAtMs: atMs },
        };
        const event = { kind: "exchange", exchange, at: instant(atMs) } as const;
        this.history.push({ event, sentAt: started, receivedAt: this.#next() });
        return envelope;
      },
    };
  }

  #next(): number {
    this.#order += 1;
    return this.#order;
  }
}

/** The whole check takes half a minute of processor time, so the test checks every twelfth vector. */
const SAMPLE = 12;
/** Vector that the test skips: the model needs seconds to try the orders of twenty requests in flight. */
const SLOW = "rate-limit/twenty-in-flight";

test("the model accepts every response of the reference in a sample of the vectors", async () => {
  const folder = join(import.meta.dirname, "..", "..", "vectors");
  const contract = readContract(join(folder, "contract"));
  const adapter = new Recorder();
  const context = newContext(contract, adapter, "1");
  const unexplained: string[] = [];
  let exchanges = 0;
  const vectors = loadKitVectors(contract).filter(({ id }, index) => index % SAMPLE === 0 && id !== SLOW);
  for (const vector of vectors) {
    adapter.history = [];
    await playVector(vector, context);
    const { history } = adapter;
    // If `passed-as` is set, the service gets values that differ from the recorded request.
    if (
      history.some(({ event }) => event.kind === "exchange" && event.exchange.request.passedAs !== undefined)
    )
      continue;
    const { facts } = adapter.info;
    const started = history[0]?.event.at ?? instant(0);
    exchanges += history.length;
    const { violations } = checkHistory(history, {
      facts,
      started,
      incomplete: false,
    });
    for (const { statement, expected } of violations)
      unexplained.push(`${vector.id}: ${statement}: expected ${expected.join(" | ")}`);
  }
  assert.deepEqual(unexplained, []);
  assert.ok(exchanges > 700);
});
