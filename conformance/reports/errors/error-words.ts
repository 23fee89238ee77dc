import type { Breakage } from "../../engine/play/result.ts";
import { formatSeconds } from "../time-words.ts";

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
