/**
 * A minimal conforming client: it gives up at the first request that fails, and keeps nothing between
 * launches. As a program, it performs the task on standard input. With `--resident`, it performs the task of
 * each JSON-RPC message.
 */
import { createHash, createPrivateKey, sign } from "node:crypto";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { isObject, parseJson } from "../../data/json.ts";

export const client = { name: "small-client", version: "1.0.0" };

export interface Task {
  readonly id: string;
  readonly baseUrl: string;
  readonly deadlineMs: number;
  readonly creator: { readonly address: string; readonly secretKeyBase64: string };
  readonly token: Readonly<Record<string, string>>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly bearer?: string;
  readonly idempotencyKey?: string;
}

interface Answer {
  readonly status: number;
  /** JSON value, or the text of a body that is not JSON. */
  readonly body: unknown;
}

export interface Tools {
  readonly handle: (call: Call) => Promise<Answer>;
}

class Refused extends Error {
  readonly refusal: object;

  constructor(refusal: object) {
    super("refused");
    this.refusal = refusal;
  }
}

export async function launch(task: Task, tools?: Partial<Tools>): Promise<object> {
  const signal = AbortSignal.timeout(task.deadlineMs);
  const send = tools?.handle ?? ((call: Call) => overHttp(task.baseUrl, call, signal));
  const ask = async (call: Call) => {
    const answer = await send(call).catch(() => {
      throw new Refused({ reason: "no response" });
    });
    const { status, body } = answer;
    if (status !== 200 || !isObject(body))
      throw new Refused({
        status,
        ...(isObject(body) && body["code"] !== undefined && { code: body["code"] }),
      });
    return body;
  };
  const post = (path: string, body: object, rest: Partial<Call> = {}) =>
    ask({ method: "POST", path, body: JSON.stringify(body), ...rest });
  try {
    const { address: creator, secretKeyBase64 } = task.creator;
    const termsHash = textOf(await ask({ method: "GET", path: "/v1/platform" }), "termsHash");
    const challenge = await post("/v1/auth/challenge", { creator, termsHash });
    const message = Buffer.from(textOf(challenge, "message"));
    const signatureBase64 = sign(null, message, keyOf(secretKeyBase64)).toString("base64");
    const proof = { id: textOf(challenge, "id"), signatureBase64 };
    const bearer = textOf(await post("/v1/auth/verify", proof), "bearer");
    const idempotencyKey = createHash("sha256")
      .update(JSON.stringify([task.id, task.token]))
      .digest("hex");
    const credentials = { bearer, idempotencyKey };
    return { draft: await post("/v1/launch/build", { creator, ...task.token }, credentials) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal };
    throw error;
  }
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Refused({ reason: `no ${name}` });
  return value;
}

function keyOf(secretKeyBase64: string) {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const seed = Buffer.from(secretKeyBase64, "base64").subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
}

async function overHttp(
  baseUrl: string,
  { method, path, body, bearer, idempotencyKey }: Call,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  const response = await fetch(baseUrl + path, {
    method,
    headers,
    signal,
    ...(body !== undefined && { body }),
  });
  const received = await response.text();
  return { status: response.status, body: parseJson(received) ?? received };
}

const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? "").href;
if (isProgram && process.argv.includes("--resident"))
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    const result =
      method === "launch" ? await launch(params) : method === "initialize" ? { protocol: 1, client } : {};
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    if (method === "shutdown") break;
  }
else if (isProgram)
  process.stdout.write(`${JSON.stringify(await launch(JSON.parse(await text(process.stdin))))}\n`);
