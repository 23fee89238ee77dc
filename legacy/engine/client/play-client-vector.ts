import { endOfLog } from "../play/breakage.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Failure, Result, TraceEntry } from "../play/result.ts";
import type { SourcePlace } from "../vectors/vector.ts";
import { ClientClock } from "./client-clock.ts";
import type { ClientContract, ClientJudgement, StagedTask, StageStep } from "./client-contract.ts";
import type { ClientConnection, SiteHost } from "./client-door.ts";
import { CLIENT_PROTOCOL } from "./client-protocol.ts";
import type { ClientVector } from "./client-vector.ts";
import { giveTask } from "./give-task.ts";
import { disturbance, endInWords, showAnswer, showClientRequest, showEnd } from "./show-turn.ts";
import { StageRecord } from "./stage-record.ts";
import type { TaskRecord, Trace, Turn, Violation } from "./trace.ts";

/** Of the time that a task gets, what a client is not told of: for its start and its end, in ms. */
const UNTOLD_MS = 1_000;

/** What a client is told of its time where there is no limit, as under a debugger, in ms. */
const MOST_TOLD_MS = 24 * 3.6e6;

/** Where the clocks of a vector begin: between two seconds, in ms since the Unix epoch. */
const START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);

/** What a vector is played with. */
export interface ClientPlaying {
  readonly contract: ClientContract;
  readonly connection: ClientConnection;
  readonly sites: SiteHost;
  readonly seed: number;
  readonly time: RealTime;
  /** Real time that a task may take, in ms; 0 for any. */
  readonly limitMs: number;
  readonly waitScale: number;
  /** Told of each request of the client. */
  readonly onRequest: () => void;
  /** Aborted when the run is to end at once. */
  readonly interrupt?: AbortSignal;
}

/** What came of a vector that a client was played. */
export interface ClientPlayed {
  readonly result: Result;
  /** Whether the client has ended: the next vector needs another connection. */
  readonly ended: boolean;
  /** Why a task had to be ended, where one had. */
  readonly cut?: "overdue" | "flooded";
  /** Whether some task ended with a result. */
  readonly worked: boolean;
}

/** A task that was given, with what only the engine looks at. */
interface Given extends TaskRecord {
  readonly step: string;
  readonly line: number;
  readonly fatal: boolean;
  /** Whether the client had asked for anything in a step before. */
  readonly hadAsked: boolean;
}

/** Plays one vector: gives a client its tasks, with a scripted service of its own. Never throws for what a client does. */
export async function playClientVector(vector: ClientVector, playing: ClientPlaying): Promise<ClientPlayed> {
  const { contract, connection, sites, seed, time } = playing;
  const stage = await contract.stage(vector.scenario, {
    name: vector.id,
    seed,
    facts: connection.info.facts,
    startMs: START_MS,
  });
  const clock = new ClientClock(time, (ms) => stage.advance(ms));
  const record = new StageRecord(stage, clock, contract.mostRequests, playing.onRequest);
  const given: Given[] = [];
  try {
    const baseUrl = await sites.open((request) => record.ask(request));
    for (const [index, step] of stage.steps.entries()) {
      if (step.kind !== "tasks") await doStep(step, { stage, record });
      else {
        const hadAsked = record.count > 0;
        const tasks = await Promise.all(
          step.tasks.map((task, place) => {
            const name = step.tasks.length === 1 ? `${index + 1}` : `${index + 1}.${place + 1}`;
            return give(task, name, { playing, clock, record, baseUrl, hadAsked });
          }),
        );
        given.push(...tasks);
        if (tasks.some(({ end }) => end.kind !== "result")) break;
      }
    }
    await record.settled();
    // What broke before the client had ever asked for anything says nothing of how it keeps the rules.
    const judged = given.filter((task) => !brokeAtOnce(task));
    const trace: Trace = { turns: record.turns, tasks: judged, waitScale: playing.waitScale };
    const cut = (["overdue", "flooded"] as const).find((kind) => given.some(({ end }) => end.kind === kind));
    return {
      result: resultOf(vector, stage.judge(trace), { trace, given }),
      ended: given.some(({ fatal }) => fatal),
      ...(cut === undefined ? {} : { cut }),
      worked: given.some(({ end }) => end.kind === "result"),
    };
  } finally {
    await stage.close();
  }
}

async function doStep(
  step: Exclude<StageStep, { readonly kind: "tasks" }>,
  on: {
    readonly stage: { advance(ms: number): Promise<void>; restart(): Promise<void> };
    readonly record: StageRecord;
  },
): Promise<void> {
  if (step.kind === "restart") return on.stage.restart();
  await on.stage.advance(step.ms);
  on.record.advancedMs += step.ms;
}

async function give(
  { id, line, task: asked }: StagedTask,
  step: string,
  on: {
    readonly playing: ClientPlaying;
    readonly clock: ClientClock;
    readonly record: StageRecord;
    readonly baseUrl: string;
    readonly hadAsked: boolean;
  },
): Promise<Given> {
  const { playing, clock, record, baseUrl, hadAsked } = on;
  const { contract, limitMs, waitScale } = playing;
  const task = {
    protocol: CLIENT_PROTOCOL,
    contract: contract.id,
    ...asked,
    baseUrl,
    nowMs: START_MS + record.advancedMs + clock.movedMs,
    deadlineMs: limitMs === 0 ? MOST_TOLD_MS : Math.max(limitMs - UNTOLD_MS, limitMs / 2),
    retryAfterScale: waitScale,
  };
  const [beganAtMs, fromTurn] = [clock.nowMs, record.count];
  const { end, fatal } = await giveTask(id, task, { ...playing, record, clock, startMs: START_MS });
  const ended = { endedAtMs: clock.nowMs, toTurn: record.count };
  return { id, task, end, beganAtMs, ...ended, fromTurn, step, line, fatal, hadAsked };
}

/** Whether a task ended without a result before the client had asked for anything, in it or in a step before. */
function brokeAtOnce({ end, fromTurn, toTurn, hadAsked }: Given): boolean {
  return end.kind !== "result" && fromTurn === toTurn && !hadAsked;
}

/** What a result is told from. */
interface Seen {
  readonly trace: Trace;
  readonly given: readonly Given[];
}

function resultOf(vector: ClientVector, judgement: ClientJudgement, seen: Seen): Result {
  const { violations, observations, advice, unreached } = judgement;
  const own = violations.filter(({ rule }) => vector.rules.includes(rule));
  const others = firstOfEach(violations.filter(({ rule }) => !vector.rules.includes(rule)));
  const idle = seen.given.find(brokeAtOnce);
  const failures = own.map((violation) => failureOf(violation, vector, seen));
  const outcome = idle !== undefined ? "error" : unreached === undefined ? "passed" : "skipped";
  const told = violations.length > 0 || outcome === "error";
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome: failures.length > 0 ? "failed" : outcome,
    ...(idle === undefined
      ? unreached === undefined
        ? {}
        : { reason: `not reached: ${unreached}` }
      : brokenBy(idle, vector)),
    ...(idle !== undefined || failures.length === 0 ? {} : logOf(seen)),
    ...(idle !== undefined && failures.length > 0 ? { broke: true } : {}),
    source: vector.place,
    failures,
    incidental: others.map((violation) => failureOf(violation, vector, seen)),
    observations,
    advice,
    trace: told ? traceOf(vector, seen) : [],
  };
}

/** What is told of a client that broke before it had asked for anything. */
function brokenBy({ end, step, line }: Given, { place }: ClientVector): Pick<Result, "reason" | "breakage"> {
  const log = end.kind === "broke" ? end.log : undefined;
  return {
    reason: end.kind === "broke" ? end.reason : `${endInWords(end)}, and no request before`,
    breakage: { step, place: { ...place, line }, ...(log === undefined ? {} : { log: endOfLog(log) }) },
  };
}

/** What a client wrote for people in the task that it broke in, where it did. */
function logOf({ given }: Seen): Pick<Result, "breakage"> {
  const log = given
    .map(({ end }) => (end.kind === "broke" ? end.log : undefined))
    .findLast((one) => one !== undefined);
  return log === undefined ? {} : { breakage: { log: endOfLog(log) } };
}

function failureOf(violation: Violation, vector: ClientVector, seen: Seen): Failure {
  const { rule, message, expected, got } = violation;
  const turn = seen.trace.turns.find(({ index }) => index === violation.turn);
  const task = taskOf(violation, turn, seen);
  const request = turn === undefined ? undefined : showClientRequest(turn.request);
  return {
    rule,
    rules: [rule],
    message,
    step: stepOf(task, turn),
    place: placeOf(task, vector),
    clockMs: turn === undefined ? 0 : turn.serviceMs - START_MS,
    ...(violation.request === undefined && request === undefined
      ? {}
      : { request: violation.request ?? request }),
    expected,
    got,
    differences: [],
  };
}

function taskOf(violation: Violation, turn: Turn | undefined, { given }: Seen): Given | undefined {
  const id = violation.task ?? turn?.sentBy ?? turn?.tasks[0];
  return given.find(({ id: own, fromTurn, toTurn }) =>
    own !== id ? false : turn === undefined || (turn.index >= fromTurn && turn.index < toTurn),
  );
}

function placeOf(task: Given | undefined, { place }: ClientVector): SourcePlace {
  return task === undefined ? place : { file: place.file, line: task.line };
}

function stepOf(task: Given | undefined, turn: Turn | undefined): string {
  const step = task?.step ?? "1";
  return turn === undefined ? step : `${step}, request ${turn.index - (task?.fromTurn ?? 0) + 1}`;
}

/** All that took place, each task after its requests. */
function traceOf(vector: ClientVector, { trace, given }: Seen): readonly TraceEntry[] {
  const entryOfTurn = (turn: Turn, task: Given | undefined): TraceEntry => {
    const disturbed = disturbance(turn);
    return {
      step: stepOf(task, turn),
      place: placeOf(task, vector),
      clockMs: turn.serviceMs - START_MS,
      request: showClientRequest(turn.request),
      response: { ...(showAnswer(turn.answer) as object), ...(disturbed === undefined ? {} : { disturbed }) },
    };
  };
  const clockMs = (task: Given) =>
    (trace.turns.findLast(({ index }) => index < task.toTurn)?.serviceMs ?? START_MS) - START_MS;
  const ofTask = (task: Given): TraceEntry => ({
    step: task.step,
    place: placeOf(task, vector),
    clockMs: clockMs(task),
    request: { method: "task", path: task.id, body: JSON.stringify(task.task) },
    response: showEnd(task.end),
  });
  const told = new Set<number>();
  return given.flatMap((task) => {
    const turns = trace.turns.filter(
      ({ index }) => index >= task.fromTurn && index < task.toTurn && !told.has(index),
    );
    for (const { index } of turns) told.add(index);
    const own = (turn: Turn) =>
      given.find(({ id }) => id === (turn.sentBy ?? turn.tasks[0]) && turn.index < task.toTurn) ?? task;
    return [...turns.map((turn) => entryOfTurn(turn, own(turn))), ofTask(task)];
  });
}

/** Each rule once: a habit is seen over and over. */
function firstOfEach(violations: readonly Violation[]): readonly Violation[] {
  return violations.filter(
    ({ rule }, index) => violations.findIndex((other) => other.rule === rule) === index,
  );
}
