/** One kind of answer: a status and, where a code belongs to it, the codes any of which will do. */
export interface Outcome {
  readonly status: number;
  readonly codes: readonly string[];
}

/**
 * Reads an outcome as vectors and open points write it: `200`, `404 NOT_FOUND`, `400 A | B`.
 * A status of 400 or more must name its codes: "any error" is no expectation.
 * @returns the outcome, or the reason why the text is none
 */
export function parseOutcome(text: string | number): Outcome | string {
  const match = /^(\d{3})(?:\s+(.+))?$/.exec(String(text).trim());
  if (match === null) return `"${text}" is no outcome: write a status, and its code where it is an error`;
  const status = Number(match[1]);
  const codes = (match[2] ?? "")
    .split("|")
    .map((code) => code.trim())
    .filter((code) => code !== "");
  if (codes.some((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code)))
    return `"${text}" holds something that is no code`;
  if (status >= 400 && codes.length === 0) return `"${text}" accepts any error: name the codes`;
  if (status < 400 && codes.length > 0) return `"${text}" names a code for a status that has none`;
  return { status, codes };
}

/** Whether an answer with this status and code is of the outcome. */
export function matchesOutcome(outcome: Outcome, status: unknown, code: unknown): boolean {
  if (outcome.status !== status) return false;
  return outcome.codes.length === 0 || outcome.codes.some((accepted) => accepted === code);
}

/** An outcome as people read it. */
export function formatOutcome({ status, codes }: Outcome): string {
  return codes.length === 0 ? String(status) : `${status} ${codes.join(" | ")}`;
}

/** Several accepted outcomes as people read them, the codes of one status together. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const byStatus = new Map<number, string[]>();
  for (const { status, codes } of outcomes) byStatus.set(status, [...(byStatus.get(status) ?? []), ...codes]);
  return [...byStatus]
    .map(([status, codes]) => formatOutcome({ status, codes: [...new Set(codes)] }))
    .join(", or ");
}
