import { EventEmitter, once } from "node:events";
import { Agent, request as ask, type IncomingMessage } from "node:http";
import { setTimeout as sleep, setImmediate as soon } from "node:timers/promises";
import { answerOf, digestOf, requestOf } from "./load-bytes.ts";
import { LoadService } from "./load-service.ts";

/** How much a proxy is to bear. */
export interface Load {
  readonly requests: number;
  readonly connections: number;
}

/** A proxy that was started before a service. */
export interface ProxyUnderLoad {
  readonly url: string;
  /** Ends it; gives what it printed. */
  end(): Promise<string>;
}

/** What came of a load, counted by those on both sides of the proxy. */
export interface LoadOutcome {
  /** Requests that were sent, those again that the death of the service had cost an answer. */
  readonly sent: number;
  readonly answered: number;
  /** Broken off by the client, after the service had their heads. */
  readonly brokenOff: number;
  /** Answered 502 in the proxy's own name, and those whose connection ended, while the service was dead. */
  readonly refused: number;
  readonly cut: number;
  /** What was wrong: bytes that differ, requests that came twice or never. */
  readonly faults: readonly string[];
  /** What the proxy printed. */
  readonly printed: string;
}

/** One of so many requests is broken off. */
const BROKEN_OFF = 101;
/** How often a request is sent again, and after how many ms, while the service is dead. */
const AGAIN = 200;
const AGAIN_MS = 25;
/** How long the service stays dead, in ms. */
const DEAD_MS = 300;

/**
 * Sends requests through a proxy over many connections; some clients break off, and in the middle of it the service dies and
 * comes back. Looks on both sides whether all that was sent came, to the byte.
 */
export async function proxyLoad(
  { requests, connections }: Load,
  start: (serviceUrl: string) => Promise<ProxyUnderLoad>,
): Promise<LoadOutcome> {
  const heads = new EventEmitter().setMaxListeners(0);
  const service = new LoadService((number) => heads.emit(`${number}`));
  await service.listen();
  const proxy = await start(service.url).catch(async (thrown: unknown) => {
    await service.die();
    throw thrown;
  });
  const faults: string[] = [];
  const counts = { sent: 0, answered: 0, brokenOff: 0, refused: 0, cut: 0 };
  let next = 0;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = next++; number < requests; number = next++) {
      if (number === Math.floor(requests / 2)) void dies(service);
      if (number % BROKEN_OFF === 0) await breakOff(number);
      else await deliver(number, agent);
    }
    agent.destroy();
  };
  const breakOff = async (number: number) => {
    const agent = new Agent();
    const { method, path, headers } = requestOf(number);
    for (let attempt = 0; attempt < AGAIN; attempt++) {
      const asked = ask(proxy.url + path, { agent, method, headers: [...headers] });
      const gone = new Promise<false>((resolve) => asked.on("close", () => resolve(false)));
      const answer = new Promise<false>((resolve) => asked.on("response", () => resolve(false)));
      asked.on("error", () => {});
      asked.flushHeaders();
      counts.sent += 1;
      const came = once(heads, `${number}`).then(() => true);
      if (await Promise.race([came, gone, answer])) {
        asked.destroy();
        counts.brokenOff += 1;
        await gone;
        return;
      }
      counts.refused += 1;
      asked.destroy();
      await sleep(AGAIN_MS);
    }
    faults.push(`request ${number} never came to the service`);
  };
  const deliver = async (number: number, agent: Agent) => {
    for (let attempt = 0; attempt < AGAIN; attempt++) {
      counts.sent += 1;
      const outcome = await send(proxy.url, number, agent);
      if (outcome === "answered") {
        counts.answered += 1;
        return;
      }
      if (outcome !== "refused" && outcome !== "cut") {
        faults.push(`request ${number}: ${outcome}`);
        return;
      }
      counts[outcome] += 1;
      await sleep(AGAIN_MS);
    }
    faults.push(`request ${number} was never answered`);
  };
  await Promise.all(Array.from({ length: connections }, client));
  for (let number = 0; number < requests; number++) {
    const times = service.received.get(number) ?? 0;
    if (times === 0 && number % BROKEN_OFF !== 0) faults.push(`request ${number} never came to the service`);
  }
  const again = [...service.received.values()].reduce((sum, times) => sum + times - 1, 0);
  if (again > counts.cut) faults.push(`${again} requests came more often than they were sent`);
  const printed = await proxy.end();
  const seen = Number(/^passed: (\d+) request/m.exec(printed)?.[1]);
  // What was sent while its connection was being closed may never have been read.
  if (!(seen <= counts.sent && seen >= counts.sent - counts.cut))
    faults.push(`${counts.sent} requests were sent, and the proxy counted ${seen}`);
  await service.die();
  return { ...counts, faults, printed };
}

async function dies(service: LoadService): Promise<void> {
  await service.die();
  await sleep(DEAD_MS);
  await service.listen();
}

/** Sends a request; gives whether it was answered as it must be, and else how. */
async function send(url: string, number: number, agent: Agent): Promise<string> {
  const { method, path, headers, pieces } = requestOf(number);
  const host = ["Host", new URL(url).host];
  const asked = ask(url + path, { agent, method, headers: [...host, ...headers] });
  asked.on("error", () => {});
  const answer = once(asked, "response") as Promise<[IncomingMessage]>;
  // It may fail before it is awaited.
  answer.catch(() => {});
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await soon();
      asked.write(piece);
    }
    asked.end();
    const [response] = await answer;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    if (response.statusCode === 502 && response.headers["proxy-status"] !== undefined) return "refused";
    return differenceIn(number, response, Buffer.concat(chunks));
  } catch {
    return "cut";
  }
}

function differenceIn(
  number: number,
  { statusCode, rawHeaders, headers }: IncomingMessage,
  body: Buffer,
): string {
  const sent = requestOf(number);
  const expected = answerOf(number);
  const digest = digestOf(sent.method, sent.path, sent.headers, Buffer.concat(sent.pieces));
  if (statusCode !== 200) return `status ${statusCode}`;
  if (headers["x-digest"] !== digest) return "the service received something else";
  if (!body.equals(Buffer.concat(expected.pieces))) return "the body of the answer differs";
  const kept = rawHeaders.slice(0, 4).join();
  return kept === expected.headers.slice(0, 4).join()
    ? "answered"
    : `the headers of the answer differ: ${kept}`;
}
