import type { Breakage, Failure, Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { formatClock } from "../engine/vectors/duration.ts";
import { plain, plainLine } from "../plain-text.ts";
import { type Invocation, reproductionCommand } from "./reproduction-command.ts";
import { formatSeconds } from "./words.ts";

const WIDTH = 150;
/** Lines of a counterexample that are shown; --save-failures writes all. */
const MOST_VECTOR_LINES = 40;
/** Lines of a log that are shown; the json report has more. */
const MOST_LOG_LINES = 8;
/** Maximum number of rules shown in full for a repeated step. */
const MOST_RULES = 3;

/**
 * One failure on one screen: what broke, where, what was sent, what came, and how to see it again.
 * @param reproduction the command that does, or how the run was asked for, where that is a command line
 */
export function failureText(
  result: Result,
  failure: Failure,
  contract: RuleBook,
  reproduction: Invocation | string,
): readonly string[] {
  const place = `${failure.place.file}:${failure.place.line}`;
  return [
    `FAILED  ${result.id}   ${place}, step ${failure.step}`,
    ...ruleLines(failure.rules, contract),
    ...(failure.request === undefined
      ? []
      : [line("sent", `${requestLine(failure.request)}   clock ${formatClock(failure.clockMs)}`)]),
    line("expected", plainLine(failure.expected, WIDTH)),
    line("got", failure.response === undefined ? plainLine(failure.got, WIDTH) : response(failure)),
    ...differences(failure),
    ...belongingLines(failure, contract),
    ...logLines("log", result.outcome === "failed" ? result.breakage?.log : undefined),
    ...vectorLines(result),
    line(
      "again",
      typeof reproduction === "string" ? reproduction : reproductionCommand(reproduction, result.id),
    ),
  ];
}

/** To which rule the answer belongs that came, beside that of the one which was wanted. */
function belongingLines({ received, rule, expected, got }: Failure, contract: RuleBook): readonly string[] {
  if (received === undefined) return [];
  const statement = contract.rules.get(received)?.statement ?? "";
  const wanted = `wanted ${plainLine(expected, 60)} by ${rule}`;
  return [line("belongs", `${plainLine(got, 60)} to ${received}; ${wanted}`), `            ${statement}`];
}

/** The end of what the implementation wrote for people: the last lines say why. */
function logLines(name: string, log: string | undefined): readonly string[] {
  const lines = log === undefined ? [] : log.trimEnd().split("\n").slice(-MOST_LOG_LINES);
  return lines.map((text, index) => line(index === 0 ? name : "", plainLine(text, WIDTH)));
}

/** The counterexample of a property, as the vector that shows it again. */
function vectorLines({ vector }: Result): readonly string[] {
  if (vector === undefined) return [];
  const lines = vector
    .trimEnd()
    .split("\n")
    .map((text) => `    ${plain(text)}`);
  const cut = lines.slice(0, MOST_VECTOR_LINES);
  return ["  as a vector", ...cut, ...(cut.length < lines.length ? ["    …"] : [])];
}

function ruleLines(ids: readonly string[], contract: RuleBook): readonly string[] {
  const shown = ids.slice(0, MOST_RULES).map((id) => {
    const rule = contract.rules.get(id);
    return `  ${id}  ${rule?.statement ?? ""}\n${" ".repeat(12)}contract, "${rule?.section ?? "?"}"`;
  });
  const rest = ids.slice(MOST_RULES);
  return rest.length === 0 ? shown : [...shown, `  and ${rest.join(", ")}`];
}

function line(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}

/** A request on one line. */
function requestLine(shown: unknown): string {
  const { method, path, body, bodyBase64, bearer, idempotencyKey } = shown as Record<string, unknown>;
  const content = body ?? (bodyBase64 === undefined ? undefined : `base64 ${String(bodyBase64)}`);
  return [
    plainLine(`${String(method)} ${String(path)}`, 80),
    bearer === undefined ? "" : `  bearer ${plainLine(String(bearer), 20)}`,
    idempotencyKey === undefined ? "" : `  key ${plainLine(JSON.stringify(idempotencyKey), 70)}`,
    content === undefined ? "" : `  ${plainLine(String(content), 400)}`,
  ].join("");
}

function response({ response: shown, got }: Failure): string {
  const envelope = (typeof shown === "object" && shown !== null ? shown : {}) as {
    status?: unknown;
    body?: unknown;
    cut?: string;
  };
  if (envelope.status === undefined) return plainLine(got, WIDTH);
  const text = envelope.cut ?? JSON.stringify(envelope.body ?? shown) ?? "";
  return `${plainLine(String(envelope.status), 20)} ${plainLine(text, 400)}`;
}

function differences({ differences }: Failure): readonly string[] {
  return differences.map(({ path, expected, got }) =>
    line("differs", `${plainLine(path, 80)}: ${plainLine(got, WIDTH)}, not ${plainLine(expected, WIDTH)}`),
  );
}

/**
 * An error on one screen: what broke, at which request of which step, how the service was found afterwards, what it
 * wrote for people, and how to see it again. A result that was not even tried has the reason alone.
 * @param invocation how the run was asked for, where that is a command line
 */
export function errorText(result: Result, invocation?: Invocation): readonly string[] {
  const { id, reason = "no reason given", source, breakage } = result;
  if (breakage === undefined) return [`ERROR  ${plainLine(reason, 200)}`];
  const { step, place = source, clockMs, request, log } = breakage;
  const where = [
    ...(place === undefined ? [] : [`${place.file}:${place.line}`]),
    ...(step === undefined ? [] : [`step ${step}`]),
  ];
  const sent =
    request === undefined ? undefined : `${requestLine(request)}   clock ${formatClock(clockMs ?? 0)}`;
  return [
    `ERROR   ${id}   ${where.join(", ")}`.trimEnd(),
    line("broke", plainLine(reason, 200)),
    ...optional("answer", timeOf(breakage)),
    ...optional("sent", sent),
    ...optional("service", serviceOf(breakage)),
    ...logLines("wrote", log),
    line("look at", adviceOn(breakage)),
    ...(invocation === undefined ? [] : [line("again", reproductionCommand(invocation, id))]),
  ];
}

function optional(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [line(name, text)];
}

/** How long an answer was awaited, or took; undefined where there is nothing to tell. */
export function timeOf({ kind, answeredAfterMs, awaitedMs }: Breakage): string | undefined {
  if (answeredAfterMs !== undefined) return `it came after ${formatSeconds(answeredAfterMs)}`;
  return kind === "hang" && awaitedMs !== undefined
    ? `awaited for ${formatSeconds(awaitedMs)}, and it never came`
    : undefined;
}

/** How the service was found afterwards; undefined where nobody asked. */
export function serviceOf({ kind, alive }: Breakage): string | undefined {
  if (kind === "slow" || alive === undefined) return undefined;
  if (alive) return "alive: it answers other requests";
  return kind === "hang" ? "stands still: it answers no other request either" : "gone: nothing answers there";
}

/** Where to look first. */
export function adviceOn({ kind, alive, answeredAfterMs, log }: Breakage): string {
  switch (kind) {
    case "slow":
      return `what takes so long with this request; --timeout ${limitFor(answeredAfterMs)} would have let it pass`;
    case "hang":
      return alive === true
        ? "what this request waits for: a lock, an answer that is never sent, a loop over this very input"
        : "what stops everything at this request: a loop that does not end (a regular expression?), a lock";
    case "lost":
      return alive === true
        ? "the server's own log at this request: it ended the connection, or sent what is no answer of HTTP"
        : "whether the server still runs, and what its log says last";
    default:
      return log === undefined
        ? "the adapter's own log; --timeout 0 lets you step through it with a debugger"
        : "what it wrote to its standard error, above";
  }
}

/** A limit well above what an answer took, in whole seconds. */
function limitFor(tookMs = 0): string {
  return `${Math.max(1, Math.ceil((2 * tookMs) / 1000))}s`;
}
