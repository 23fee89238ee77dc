import type { Exchange } from "../../engine/play/exchange.ts";
import type { Advice, Mismatch } from "../../engine/play/judgement.ts";
import { show } from "../../engine/play/judgement.ts";
import { executionRule } from "../execution-path.ts";
import type { JudgeContext } from "./judge-context.ts";
import { responseSchemas } from "./response-schemas.ts";
import { secretPaths } from "./secrets.ts";

/** What a server answers of its own accord to a method that asks what it can do (RFC 9110, sections 9.3.7 and 9.3.8). */
const SELF_ANSWERED = new Set(["OPTIONS", "TRACE"]);

/**
 * Whether over HTTP an answer is that of the framework in front of the service: to a pair of method and path that no
 * operation has, it refuses or redirects in its own words, as 405 or as a page; it may refuse a GET with a body, too,
 * which has no meaning (RFC 9110, section 9.3.1). The contract speaks of its own endpoints and of routes that would
 * execute something, and shows no server; such a route stays the service's to refuse.
 */
export function isFrameworkAnswer(
  { operation, request, status = 0, body }: Exchange,
  { overHttp = false }: Pick<JudgeContext, "overHttp">,
): boolean {
  const isOdd = operation === "other" || isGetWithBody(request);
  if (!overHttp || !isOdd || executionRule(request.path) !== undefined) return false;
  const least = operation === "other" ? 300 : 400;
  const refuses = (status >= least && status < 500) || status === 501 || status === 505;
  const informs = SELF_ANSWERED.has(request.method.toUpperCase()) && (status === 200 || status === 204);
  const { code } = body;
  const documented = typeof code === "string" && responseSchemas().codes(status)?.has(code) === true;
  return (refuses || informs) && !documented;
}

/** What still holds for such an answer, and what a client would rather have. */
export function judgeFrameworkAnswer({ operation, status, request, body }: Exchange): {
  readonly mismatches: readonly Mismatch[];
  readonly advice: readonly Advice[];
} {
  const approved = body["productionApproved"];
  const mismatches: Mismatch[] = secretPaths(body).map((path) => ({
    rule: "SERVICE-5",
    path,
    expected: "no private key material in any answer",
    got: "present",
  }));
  if (approved !== undefined && approved !== false)
    mismatches.push({
      rule: "SERVICE-2",
      path: "productionApproved",
      expected: "false",
      got: show(approved),
    });
  const where = operation === "other" ? "where no operation is" : "to a GET with a body";
  const message = `the server answers by itself ${where}, without the error body: ${status} to ${request.method}`;
  return { mismatches, advice: [{ rule: "ERROR-40", message }] };
}

function isGetWithBody({ method, body }: Exchange["request"]): boolean {
  return method === "GET" && body !== undefined && body.length > 0;
}
