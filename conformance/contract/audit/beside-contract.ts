import type { Exchange } from "../../engine/play/exchange.ts";
import { executionRule } from "../execution-path.ts";
import { VERSION_PREFIX } from "../operations.ts";

/** Methods that servers answer for whatever service is behind them: without a body, or before it. */
const OF_SERVERS: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE"]);

/** Whether a request is by a method of which the contract says nothing. */
export function isOfServers(method: string): boolean {
  return OF_SERVERS.has(method);
}

/** Whether the contract says nothing of a route: a server may have others, such as one that tells whether it is healthy. */
export function isBesideContract({ operation, request: { method, path }, status = 0 }: Exchange): boolean {
  if (isOfServers(method)) return true;
  if (operation !== "other") return false;
  const [bare = ""] = path.split("?", 1);
  if (executionRule(bare) !== undefined) return false;
  return !bare.startsWith(`${VERSION_PREFIX}/`) || status < 400;
}
