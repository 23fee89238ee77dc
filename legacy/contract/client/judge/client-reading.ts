import { isUtf8 } from "node:buffer";
import type { TaskRecord, Trace, Turn } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { type BodyReading, readBody } from "../../model/body-reading.ts";
import { codeOf, isAnswered, type Operation, operationOf } from "../../operations.ts";
import { type TaskResult, taskResult } from "./task-result.ts";

/** A request of a client, as a strict service reads it, and what the client was answered. */
export interface Asked {
  readonly turn: Turn;
  readonly operation: Operation;
  /** Without the query. */
  readonly path: string;
  readonly query: string | undefined;
  readonly body: BodyReading;
  /** Values of all headers of that name. */
  readonly authorization: readonly string[];
  readonly keys: readonly string[];
  /** What follows the scheme Bearer, exactly as it came. */
  readonly bearer: string | undefined;
  /** The only Idempotency-Key. */
  readonly key: string | undefined;
  /** Whom the request is for: by its body, else by its challenge or session. */
  readonly creator: string | undefined;
  /** Undefined where the answer was lost on the way. */
  readonly status: number | undefined;
  readonly answer: Readonly<Record<string, unknown>>;
  /** The launches that may have sent it. */
  readonly launches: readonly Launch[];
}

/** A task that the client was given, as far as it is one. */
export interface Launch {
  readonly record: TaskRecord;
  /** Undefined where it ended without a result. */
  readonly result: TaskResult | undefined;
  readonly creator: string;
  readonly secretKey: string;
  /** The five values that a build of it holds. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface IssuedChallenge {
  readonly creator: string;
  readonly message: string;
  readonly by: Asked;
}

export interface IssuedSession {
  readonly creator: string | undefined;
  readonly by: Asked;
}

/** A trace, read once for all who judge it. */
export interface ClientReading {
  readonly trace: Trace;
  readonly launches: readonly Launch[];
  readonly asked: readonly Asked[];
  /** By id; of all that the client was told. */
  readonly challenges: ReadonlyMap<string, IssuedChallenge>;
  /** By bearer; of all that the client was told. */
  readonly sessions: ReadonlyMap<string, IssuedSession>;
}

/** Reads what a client did: whose each request is, and what each challenge and bearer stands for. */
export function readTrace(trace: Trace): ClientReading {
  const launches = trace.tasks.map((record) => readTask(record));
  const challenges = new Map<string, IssuedChallenge>();
  const sessions = new Map<string, IssuedSession>();
  const asked: Asked[] = [];
  for (const turn of trace.turns) {
    const read = readTurn(turn, launches, challenges, sessions);
    asked.push(read);
    note(read, challenges, sessions);
  }
  return { trace, launches, asked, challenges, sessions };
}

function readTask(record: TaskRecord): Launch {
  const creator = memberOf(record.task, "creator");
  const token = memberOf(record.task, "token");
  const address = String(creator["address"]);
  const { mint, name, symbol, uri } = token;
  return {
    record,
    result: taskResult(record.end),
    creator: address,
    secretKey: String(creator["secretKeyBase64"]),
    input: { creator: address, mint, name, symbol, uri },
  };
}

function memberOf(task: TaskRecord["task"], name: string): Readonly<Record<string, unknown>> {
  const value = task[name];
  return isObject(value) ? value : {};
}

function readTurn(
  turn: Turn,
  launches: readonly Launch[],
  challenges: ReadonlyMap<string, IssuedChallenge>,
  sessions: ReadonlyMap<string, IssuedSession>,
): Asked {
  const { method, target, headers } = turn.request;
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const body = bodyOf(turn);
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const authorization = valuesOf("authorization");
  const keys = valuesOf("idempotency-key");
  const bearer = authorization.length === 1 ? /^Bearer (.*)$/s.exec(authorization[0] ?? "")?.[1] : undefined;
  const operation = operationOf(method, path);
  const { creator, id } = body.members;
  const stated = operation === "challenge" || operation === "build" ? creator : undefined;
  const owner = [
    stated,
    operation === "verify" ? challenges.get(String(id))?.creator : undefined,
    sessions.get(bearer ?? "")?.creator,
  ].find((one) => typeof one === "string") as string | undefined;
  const { answer } = turn;
  return {
    turn,
    operation,
    path,
    query: mark < 0 ? undefined : target.slice(mark + 1),
    body,
    authorization,
    keys,
    bearer,
    key: keys.length === 1 ? keys[0] : undefined,
    creator: owner,
    status: answer.kind === "answer" ? answer.status : undefined,
    answer: answer.kind === "answer" && isObject(answer.body) ? answer.body : {},
    launches: launchesOf(turn, launches, owner),
  };
}

function bodyOf({ request: { body } }: Turn): BodyReading {
  if (body === undefined || body.length === 0) return readBody(undefined);
  return readBody(isUtf8(body) ? Buffer.from(body).toString() : body);
}

/** The launches under way when a request came; of them those of its creator, where there is one. */
function launchesOf(turn: Turn, launches: readonly Launch[], creator: string | undefined): readonly Launch[] {
  const underWay = launches.filter(
    ({ record }) =>
      turn.tasks.includes(record.id) && record.fromTurn <= turn.index && turn.index < record.toTurn,
  );
  const own = underWay.filter((launch) => launch.creator === creator);
  return own.length > 0 ? own : underWay;
}

function note(
  asked: Asked,
  challenges: Map<string, IssuedChallenge>,
  sessions: Map<string, IssuedSession>,
): void {
  const { operation, status, answer, body, creator } = asked;
  if (status !== 200) return;
  const { id, message, bearer } = answer;
  if (
    operation === "challenge" &&
    typeof id === "string" &&
    typeof message === "string" &&
    creator !== undefined
  )
    challenges.set(id, { creator, message, by: asked });
  if (operation === "verify" && typeof bearer === "string")
    sessions.set(bearer, { creator: challenges.get(String(body.members["id"]))?.creator, by: asked });
}

/** Whether the client had one request's answer when it sent another: an answer that was held back may have been given up. */
export function wasTold(earlier: Asked, later: Asked): boolean {
  const { answer } = earlier.turn;
  return (
    answer.kind === "answer" &&
    (answer.delayMs ?? 0) === 0 &&
    earlier.turn.index < later.turn.index &&
    wasAnswered(earlier, later)
  );
}

/** Whether one request was answered, be it to nobody, before another came. */
export function wasAnswered({ turn: earlier }: Asked, { turn: later }: Asked): boolean {
  return (earlier.cameBeforeAnswer ?? 0) <= later.index && earlier.answeredAtMs <= later.atMs;
}

/** Whether two requests may be of one launch. */
export function sameLaunch(one: Asked, other: Asked): boolean {
  return one.launches.some((launch) => other.launches.includes(launch));
}

/**
 * Whether whoever sent a request had surely been told something. Of launches that run side by side each may have to be
 * told by an answer of its own, since they may be processes that know nothing of each other; and what was sent twice at
 * once may be of one of them.
 * @param tellings the answers that tell it
 */
export function surelyTold(asked: Asked, tellings: readonly Asked[]): boolean {
  const told: Asked[] = [];
  for (const telling of tellings) {
    const last = told.at(-1);
    const isNews = last === undefined || wasAnswered(last, telling);
    if (isNews && wasTold(telling, asked) && sameLaunch(telling, asked)) told.push(telling);
  }
  return told.length >= Math.max(1, asked.launches.length);
}

/** Whether a request got this answer. */
export function gotAnswer(
  asked: Asked,
  outcome: { readonly status: number; readonly codes: readonly string[] },
): boolean {
  return isAnswered(outcome, { status: asked.status, body: asked.answer });
}

/** Whether a client was left without an answer to go by: lost on the way, or a server's own failure. */
export function leftAlone({ status }: Asked): boolean {
  return status === undefined || status >= 500;
}

/** An answer in a few words: its status and code. */
export function answerInWords(asked: Asked): string {
  const { status, answer } = asked;
  if (status === undefined) return "no answer";
  const code = codeOf(answer);
  return typeof code === "string" && status !== 200 ? `${status} ${code}` : String(status);
}
