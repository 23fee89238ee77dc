import type { Result } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plainLine } from "../../plain-text.ts";
import { requestLine } from "../failure-text.ts";
import { type Invocation, reproductionCommand } from "../reproduction-command.ts";
import { adviceOn, serviceOf, timeOf } from "./error-words.ts";

const WIDTH = 150;
/** Lines of the implementation's own log that are shown: the last say why. */
const MOST_LOG_LINES = 8;

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
    ...logLines(log),
    line("look at", adviceOn(breakage)),
    ...(invocation === undefined ? [] : [line("again", reproductionCommand(invocation, id))]),
  ];
}

function optional(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [line(name, text)];
}

function logLines(log: string | undefined): readonly string[] {
  if (log === undefined) return [];
  const lines = log.trimEnd().split("\n").slice(-MOST_LOG_LINES);
  return lines.map((text, index) => line(index === 0 ? "wrote" : "", plainLine(text, WIDTH)));
}

function line(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}
