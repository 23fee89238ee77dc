import assert from "node:assert/strict";
import type { Connection } from "../../adapters/adapter.ts";

/** What is asked of a service that stands in an adapter for the one it is made for. */
export const PROBES = {
  /** Answered 200 once two such requests are in flight, and 503 where the other does not come. */
  together: "/together",
  /** Answers the body as it arrived: `{text}`, or `{base64}` where it came as bytes that are no text. */
  body: "/body",
  /** Answers `{nowMs}`, the clock that it reads. */
  clock: "/clock",
  /** Answers `{count}`, how often this was asked of the service. */
  count: "/count",
  /** Answers `{body, bearer, idempotencyKey}`: whether there was a body, and the other two as they came, or null. */
  sent: "/sent",
  /** Prints a line as programs do, and fails with a message that has quotes and ends its line. */
  fails: "/fails",
} as const;

/** Asks an adapter around a service that knows the {@link PROBES} for all that it states. */
export async function holdStatements(connection: Connection): Promise<void> {
  const ask = async (path: string, body?: string | Uint8Array) =>
    (await connection.handle({ method: "POST", path, ...(body === undefined ? {} : { body }) })) as {
      readonly status: number;
      readonly body: Readonly<Record<string, unknown>>;
    };
  // All of them: what an example cannot do is not tried of the services that grow from it.
  const { clock, restart, rawBody, concurrency } = connection.info.capabilities;
  assert.deepEqual(
    { clock, restart, rawBody, concurrency },
    { clock: "virtual", restart: true, rawBody: true, concurrency: true },
  );
  await connection.start(1_000);
  const both = await Promise.all([ask(PROBES.together), ask(PROBES.together)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
    "in flight together",
  );
  assert.deepEqual((await ask(PROBES.body, '{ "a":\t1 , "a": 2 ')).body, { text: '{ "a":\t1 , "a": 2 ' });
  assert.deepEqual((await ask(PROBES.body, Uint8Array.of(123, 255))).body, { base64: "e/8=" });
  assert.deepEqual((await ask(PROBES.clock)).body, { nowMs: 1_000 });
  assert.equal(await connection.advance(59_999), 60_999);
  assert.deepEqual((await ask(PROBES.clock)).body, { nowMs: 60_999 });
  assert.deepEqual((await ask(PROBES.count)).body, { count: 1 });
  assert.deepEqual((await ask(PROBES.count)).body, { count: 2 });
  await connection.start(5_000);
  assert.deepEqual((await ask(PROBES.count)).body, { count: 1 });
  assert.deepEqual((await ask(PROBES.clock)).body, { nowMs: 5_000 });
}
