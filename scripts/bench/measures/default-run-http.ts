import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Client, type Dispatcher } from "undici";
import { type Measure, ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { recordedIn, type Served, serveSeeded } from "../recorded.ts";

interface Recorded {
  readonly control?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string | readonly number[];
  readonly bearer?: string;
  readonly idempotencyKey?: string;
}

/** A default run against a server with a control URL, beside a loop of undici that sends it the same. */
export const defaultRunHttp: Measure = {
  id: "default-run/http",
  title: "default run over HTTP with control / bare undici loop of the same requests",
  bar: { atMost: 1.5 },
  why: [
    "To make and judge 26,000 requests, which the bare loop has ready made, takes as long as that loop where sockets are quick: more than",
    "the bar leaves. Where they are slow it is kept. The way there is Node's own client, since undici takes an interim answer that nobody",
    "asked for (100) for the end of the connection.",
  ],
  async open() {
    const [lines = []] = await recordedIn(async (folder) => {
      const recorded = await serveSeeded("--record", join(folder, "requests.jsonl"));
      await judge(recorded).finally(recorded.close);
    });
    const requests = lines.map((line) => JSON.parse(line) as Recorded);
    return {
      sides: [
        {
          name: "kit",
          unit: "s",
          sample: async () => {
            const server = await serveSeeded();
            return judge(server).finally(server.close);
          },
        },
        {
          name: "undici",
          unit: "s",
          sample: async () => {
            const server = await serveSeeded();
            return { value: await sendAll(server.url, requests).finally(server.close) };
          },
        },
      ],
      figure: ratio("kit", "undici"),
      notes: () => [`${requests.length} requests`],
    };
  },
};

function judge({ url }: Served): ReturnType<typeof runWell> {
  return runWell(kit("run", "--url", url, "--control-url", `${url}/control`));
}

async function sendAll(url: string, requests: readonly Recorded[]): Promise<number> {
  const client = new Client(url);
  const startedAt = performance.now();
  for (const request of requests) {
    const { body } = await client.request(asSent(request));
    // A message that ends the server is answered before it ends.
    await body.dump();
  }
  const tookMs = performance.now() - startedAt;
  await client.destroy();
  return tookMs / 1000;
}

function asSent({
  control,
  method,
  path,
  body,
  bearer,
  idempotencyKey,
}: Recorded): Dispatcher.RequestOptions {
  const json = { "content-type": "application/json" };
  if (control !== undefined) return { method: "POST", path: "/control", headers: json, body: control };
  return {
    method: method as "POST",
    path,
    headers: {
      ...json,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : Uint8Array.from(body) }),
  };
}
