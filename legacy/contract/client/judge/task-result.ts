import type { TaskEnd } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { show } from "../../../engine/play/judgement.ts";

/** How a client says that a launch ended (client protocol). */
export type TaskResult =
  | { readonly kind: "draft"; readonly draft: unknown }
  | {
      readonly kind: "refused";
      readonly status?: number;
      readonly code?: string;
      readonly reason?: string;
    }
  | { readonly kind: "distrusted"; readonly reason: string }
  /** It is none of these: what is wrong with it. */
  | { readonly kind: "malformed"; readonly fault: string };

/** Reads the result of a task; undefined where it ended without one. */
export function taskResult(end: TaskEnd): TaskResult | undefined {
  return end.kind === "result" ? readResult(end.result) : undefined;
}

const KINDS = ["draft", "refused", "distrusted"] as const;

function readResult(value: unknown): TaskResult {
  if (!isObject(value)) return { kind: "malformed", fault: `${show(value, 80)} is no object` };
  const named = KINDS.filter((kind) => value[kind] !== undefined);
  const [kind] = named;
  if (kind === undefined || named.length > 1) {
    const got =
      named.length === 0 ? `members ${Object.keys(value).join(", ") || "none"}` : named.join(" and ");
    return {
      kind: "malformed",
      fault: `one of draft, refused and distrusted is wanted, and there is ${got}`,
    };
  }
  const told = value[kind];
  if (kind === "draft") return { kind, draft: told };
  if (kind === "distrusted") {
    if (typeof told !== "string") return { kind: "malformed", fault: "distrusted is no text" };
    return { kind, reason: told };
  }
  if (!isObject(told)) return { kind: "malformed", fault: "refused is no object" };
  const { status, code, reason } = told;
  if (isGiven(status) && !Number.isInteger(status))
    return { kind: "malformed", fault: "refused.status is no integer" };
  if (isGiven(code) && typeof code !== "string")
    return { kind: "malformed", fault: "refused.code is no text" };
  if (isGiven(reason) && typeof reason !== "string")
    return { kind: "malformed", fault: "refused.reason is no text" };
  return {
    kind,
    ...(isGiven(status) ? { status: status as number } : {}),
    ...(isGiven(code) ? { code: code as string } : {}),
    ...(isGiven(reason) ? { reason: reason as string } : {}),
  };
}

/** Many languages write null for what is not there. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
