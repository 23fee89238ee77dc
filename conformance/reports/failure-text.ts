import type { Failure, Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { formatClock } from "../engine/vectors/duration.ts";
import { plain, plainLine } from "../plain-text.ts";
import { type Invocation, reproductionCommand } from "./reproduction-command.ts";

const WIDTH = 150;
/** Lines of a counterexample that are shown; --save-failures writes all. */
const MOST_VECTOR_LINES = 40;
/** Lines of a log that are shown; the json report has more. */
const MOST_LOG_LINES = 8;
/** Rules told in full where a step stands for many. */
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
    ...earlierLines(result, failure),
    ...(failure.request === undefined
      ? []
      : [line("sent", `${requestLine(failure.request)}   clock ${formatClock(failure.clockMs)}`)]),
    line("expected", plainLine(failure.expected, WIDTH)),
    line("got", failure.response === undefined ? plainLine(failure.got, WIDTH) : response(failure)),
    ...differences(failure),
    ...belongingLines(failure, contract),
    ...logLines(result),
    ...vectorLines(result),
    line(
      "again",
      typeof reproduction === "string" ? reproduction : reproductionCommand(reproduction, result.id),
    ),
  ];
}

/** What was recorded before that shows it. */
function earlierLines({ kind, trace }: Result, { step }: Failure): readonly string[] {
  if (kind !== "recording") return [];
  const finding = `${step.split(".", 1)[0]}.`;
  return trace
    .filter((entry) => entry.step.startsWith(finding) && entry.step !== step)
    .map(({ place, clockMs, request, response }) => {
      const { method, path, idempotencyKey } = request as Readonly<Record<string, unknown>>;
      const { status = "", body } = (response ?? {}) as { status?: unknown; body?: { code?: unknown } };
      const key = idempotencyKey === undefined ? "" : `, key ${String(idempotencyKey)}`;
      const told = `${String(method)} ${String(path)}${key} → ${String(status)} ${String(body?.code ?? "")}`;
      return line(
        "before",
        `${formatClock(clockMs)}  ${plainLine(told, 150).trim()}  (${place.file}:${place.line})`,
      );
    });
}

/** To which rule the answer belongs that came, beside that of the one which was wanted. */
function belongingLines({ received, rule, expected, got }: Failure, contract: RuleBook): readonly string[] {
  if (received === undefined) return [];
  const statement = contract.rules.get(received)?.statement ?? "";
  const wanted = `wanted ${plainLine(expected, 60)} by ${rule}`;
  return [line("belongs", `${plainLine(got, 60)} to ${received}; ${wanted}`), `            ${statement}`];
}

/** The end of what was written for people by what broke, where a failure is that it did. */
function logLines({ outcome, breakage }: Result): readonly string[] {
  if (outcome !== "failed" || breakage?.log === undefined) return [];
  const lines = breakage.log.trimEnd().split("\n").slice(-MOST_LOG_LINES);
  return lines.map((text, index) => line(index === 0 ? "log" : "", plainLine(text, WIDTH)));
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
export function requestLine(shown: unknown): string {
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
