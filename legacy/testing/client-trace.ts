import bs58 from "bs58";
import { type KeyPair, keyPairFrom, secretOf } from "../contract/keys/key-pair.ts";
import { operationOf } from "../contract/operations.ts";
import { launchMembers } from "../contract/verbs/requests.ts";
import type { StagedAnswer, TaskEnd, TaskRecord, Trace, Turn } from "../engine/client/trace.ts";
import { CONTEXT, GOOD, ISSUED_AT } from "./exchanges.ts";

/** Somebody who launches, with what a task says of them. */
export interface Creator {
  readonly pair: KeyPair;
  readonly secretKeyBase64: string;
}

/** The creator whose label this is: the same as `keyPairOf` gives. */
export function creatorOf(label: string): Creator {
  const seed = secretOf(label);
  const pair = keyPairFrom(seed);
  return { pair, secretKeyBase64: Buffer.concat([seed, bs58.decode(pair.address)]).toString("base64") };
}

export const ALICE = creatorOf("alice");
export const BOB = creatorOf("bob");

/** The launch that the good draft is of. */
export const LAUNCH = launchMembers(
  ALICE.pair.address,
  String((GOOD.build.body["requiredSigners"] as readonly string[])[1]),
  CONTEXT.facts.metadataHosts[0],
  "1",
) as Readonly<Record<string, string>>;

/** What a request, or its answer, has otherwise than a good one. */
export interface Changes {
  readonly method?: string;
  readonly target?: string;
  /** In place of the good ones; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Besides all others. */
  readonly also?: readonly (readonly [string, string])[];
  /** Members that differ; a text or bytes stand for the whole body. */
  readonly body?: Readonly<Record<string, unknown>> | string | Uint8Array;
  readonly answer?: { readonly status: number; readonly body?: Readonly<Record<string, unknown>> };
  readonly answerHas?: Readonly<Record<string, unknown>>;
  readonly lost?: true;
  readonly disturbed?: string;
  readonly delayMs?: number;
  /** Passes before it is sent. */
  readonly waitMs?: number;
  /** Answered only once the next has come. */
  readonly isLate?: true;
  readonly tasks?: readonly string[];
}

/** An error answer. */
export function refusal(status: number, code: string): NonNullable<Changes["answer"]> {
  return { status, body: { code, productionApproved: false } };
}

interface Under {
  readonly id: string;
  readonly record: Pick<TaskRecord, "id" | "task" | "beganAtMs" | "fromTurn">;
}

/** Makes a trace by hand: each method is a deed of a client that does all right, but for the changes it is told. */
export class ClientTrace {
  readonly #turns: Turn[] = [];
  readonly #ended: TaskRecord[] = [];
  #underWay: Under[] = [];
  #nowMs = 0;
  #serviceMs = ISSUED_AT;
  #issued = 0;
  #by = ALICE;
  #input: Readonly<Record<string, unknown>> = LAUNCH;
  #challenge: { readonly id: string; readonly message: string } = { id: "", message: "" };
  #bearer = "";
  readonly #termsHash: string;

  constructor(termsHash = String(GOOD.platform.body["termsHash"])) {
    this.#termsHash = termsHash;
  }

  /** What the client holds: of the last challenge and session that it was given. */
  get held() {
    return { ...this.#challenge, bearer: this.#bearer };
  }

  /** A task begins; what follows is its, until another begins. */
  task(
    id = "first",
    {
      by = ALICE,
      token = {},
      launch = id,
    }: { by?: Creator; token?: Readonly<Record<string, string>>; launch?: string } = {},
  ): this {
    this.#by = by;
    const { mint, name, symbol, uri } = { ...LAUNCH, ...token };
    this.#input = { creator: by.pair.address, mint, name, symbol, uri };
    const creator = { address: by.pair.address, secretKeyBase64: by.secretKeyBase64 };
    const task = { task: "launch", id: launch, creator, token: { mint, name, symbol, uri } };
    this.#underWay.push({
      id,
      record: { id, task, beganAtMs: this.#nowMs, fromTurn: this.#turns.length },
    });
    return this;
  }

  /** All tasks under way end. */
  end(
    end:
      | TaskEnd
      | { readonly draft: unknown }
      | { readonly refused: unknown }
      | { readonly distrusted: unknown },
  ): this {
    const how: TaskEnd = "kind" in end ? end : { kind: "result", result: end };
    for (const { record } of this.#underWay)
      this.#ended.push({ ...record, end: how, endedAtMs: this.#nowMs, toTurn: this.#turns.length });
    this.#underWay = [];
    return this;
  }

  /** Ends with the draft of the last build. */
  draft(): this {
    const { answer } = this.#turns.at(-1) ?? {};
    return this.end({ draft: answer?.kind === "answer" ? answer.body : undefined });
  }

  /** Ends as the last answer was. */
  refused(): this {
    const { answer } = this.#turns.at(-1) ?? {};
    if (answer?.kind !== "answer") return this.end({ refused: { reason: "no answer" } });
    const { code } = (answer.body ?? {}) as { readonly code?: string };
    return this.end({ refused: { status: answer.status, code } });
  }

  profile(changes: Changes = {}): this {
    return this.#ask(
      "GET",
      "/v1/platform",
      undefined,
      {},
      { ...GOOD.platform.body, termsHash: this.#termsHash },
      changes,
    );
  }

  challenge(changes: Changes = {}): this {
    this.#issued += 1;
    const id = this.#issued.toString(16).padStart(48, "0");
    const message = `${String(GOOD.challenge.body["message"])} ${this.#issued}`;
    const body = { creator: this.#by.pair.address, termsHash: this.#termsHash };
    this.#ask("POST", "/v1/auth/challenge", body, {}, { ...GOOD.challenge.body, id, message }, changes);
    const told = this.#lastBody();
    if (typeof told["message"] === "string")
      this.#challenge = { id: String(told["id"]), message: told["message"] };
    return this;
  }

  /** @param signed in place of the message */
  verify(changes: Changes & { readonly signed?: Uint8Array; readonly signer?: Creator } = {}): this {
    this.#issued += 1;
    const { signed = Buffer.from(this.#challenge.message), signer = this.#by } = changes;
    const signatureBase64 = Buffer.from(signer.pair.sign(signed)).toString("base64");
    const body = { id: this.#challenge.id, signatureBase64 };
    const bearer = `bearer-${this.#issued.toString().padStart(40, "x")}`;
    this.#ask("POST", "/v1/auth/verify", body, {}, { ...GOOD.verify.body, bearer }, changes);
    const told = this.#lastBody();
    if (typeof told["bearer"] === "string") this.#bearer = told["bearer"];
    return this;
  }

  /** @param key the Idempotency-Key */
  build(changes: Changes & { readonly key?: string } = {}): this {
    const headers = {
      authorization: `Bearer ${this.#bearer}`,
      "idempotency-key": changes.key ?? "key-00000001",
    };
    return this.#ask("POST", "/v1/launch/build", this.#input, headers, GOOD.build.body, changes);
  }

  /** Profile, challenge and proof. */
  signIn(): this {
    return this.profile().challenge().verify();
  }

  /** The service's clock goes on. */
  passes(ms: number): this {
    this.#serviceMs += ms;
    return this;
  }

  trace(waitScale = 1): Trace {
    return { turns: this.#turns, tasks: this.#ended, waitScale };
  }

  #lastBody(): Readonly<Record<string, unknown>> {
    const { answer } = this.#turns.at(-1) ?? {};
    return answer?.kind === "answer" ? (answer.body as Readonly<Record<string, unknown>>) : {};
  }

  #ask(
    method: string,
    target: string,
    members: Readonly<Record<string, unknown>> | undefined,
    headers: Readonly<Record<string, string>>,
    good: Readonly<Record<string, unknown>>,
    changes: Changes,
  ): this {
    this.#nowMs += changes.waitMs ?? 1;
    const request = {
      method: changes.method ?? method,
      target: changes.target ?? target,
      headers: headersOf({ host: "127.0.0.1", ...headers }, members, changes),
      ...bodyOf(members, changes.body),
    };
    const [path = ""] = request.target.split("?");
    const atMs = this.#nowMs;
    this.#turns.push({
      index: this.#turns.length,
      operation: operationOf(request.method, path),
      request,
      answer: answerOf(good, changes),
      tookEffect: true,
      ...(changes.disturbed === undefined ? {} : { disturbed: changes.disturbed }),
      tasks: changes.tasks ?? this.#underWay.map(({ id }) => id),
      atMs,
      answeredAtMs: atMs,
      cameBeforeAnswer: this.#turns.length + (changes.isLate === true ? 2 : 1),
      serviceMs: this.#serviceMs,
    });
    return this;
  }
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  members: unknown,
  { headers: changed = {}, also = [] }: Changes,
): readonly (readonly [string, string])[] {
  const json = members === undefined ? {} : { "content-type": "application/json" };
  const all = Object.entries({ ...headers, ...json, ...changed });
  return [...all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])), ...also];
}

function bodyOf(
  members: Readonly<Record<string, unknown>> | undefined,
  changed: Changes["body"],
): { readonly body?: Uint8Array } {
  if (changed instanceof Uint8Array) return { body: changed };
  if (typeof changed === "string") return { body: new Uint8Array(Buffer.from(changed)) };
  if (members === undefined && changed === undefined) return {};
  return { body: new Uint8Array(Buffer.from(JSON.stringify({ ...members, ...changed }))) };
}

function answerOf(
  good: Readonly<Record<string, unknown>>,
  { lost, answer, answerHas, delayMs }: Changes,
): StagedAnswer {
  if (lost === true) return { kind: "lost" };
  const body = answer === undefined ? { ...good, ...answerHas } : (answer.body ?? {});
  return {
    kind: "answer",
    status: answer?.status ?? 200,
    headers: [],
    text: JSON.stringify(body),
    body,
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}
