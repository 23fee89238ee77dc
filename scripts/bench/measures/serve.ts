import { performance } from "node:perf_hooks";
import { Pool } from "undici";
import { type Answer, type Call, Client } from "../client.ts";
import type { Measure } from "../measure.ts";
import { median } from "../measure.ts";
import { oneVisit } from "../mixed-load.ts";
import { serveSeeded } from "../recorded.ts";

const CONNECTIONS = 64;
const VISITS = 3;
const CAPACITY = "200000";

/** What a server of the reference does with many connections at once. */
export const serve: Measure = {
  id: "reference/serve",
  title: `errors of a server of the reference under ${CONNECTIONS} connections`,
  unit: "errors",
  bar: { atMost: 0 },
  async open() {
    const server = await serveSeeded("--capacity", CAPACITY);
    const pool = new Pool(server.url, { connections: CONNECTIONS, pipelining: 1 });
    const latencies: number[] = [];
    const rates: number[] = [];
    let visits = 0;
    return {
      sides: [
        {
          name: "errors",
          unit: "errors",
          async sample() {
            let errors = 0;
            const ask = async (call: Call, status: number): Promise<Answer> => {
              const startedAt = performance.now();
              const answer = await send(pool, call);
              latencies.push(performance.now() - startedAt);
              if (answer.status !== status) errors += 1;
              return answer;
            };
            const startedAt = performance.now();
            const before = latencies.length;
            const visitors = Array.from({ length: CONNECTIONS }, async () => {
              for (let count = 0; count < VISITS; count++) {
                visits += 1;
                await oneVisit(ask, new Client(), visits).catch(() => {
                  errors += 1;
                });
              }
            });
            await Promise.all(visitors);
            rates.push((1000 * (latencies.length - before)) / (performance.now() - startedAt));
            return { value: errors };
          },
        },
      ],
      figure: ({ errors = Number.NaN }) => errors,
      notes: () => [toldOf(latencies, rates)],
      async close() {
        await pool.destroy();
        await server.close();
      },
    };
  },
};

async function send(pool: Pool, { method, path, body, bearer, idempotencyKey }: Call): Promise<Answer> {
  const { statusCode, body: answer } = await pool.request({
    method: method as "POST",
    path,
    headers: {
      "content-type": "application/json",
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: statusCode, body: (await answer.json()) as Answer["body"] };
}

function toldOf(latencies: readonly number[], rates: readonly number[]): string {
  const sorted = [...latencies].sort((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toPrecision(2);
  const rate = Math.round(median(rates));
  return `${sorted.length} requests, ${rate} a second; latency in ms: median ${at(0.5)}, 99 % ${at(0.99)}, worst ${at(1)}`;
}
