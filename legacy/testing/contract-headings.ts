/** Headings of the contract. The table of the cost stands under the draft's heading without one of its own. */
export const HEADINGS: ReadonlySet<string> = new Set([
  "What the service does",
  "Resources and their fields / Platform profile",
  "Resources and their fields / Challenge",
  "Resources and their fields / Session",
  "Resources and their fields / Launch request",
  "Resources and their fields / Unsigned draft",
  "Resources and their fields / Unsigned draft, cost",
  "Resources and their fields / Error body",
  "States and transitions",
  "Endpoints",
  "Endpoints / GET /v1/platform",
  "Endpoints / POST /v1/auth/challenge",
  "Endpoints / POST /v1/auth/verify",
  "Endpoints / POST /v1/launch/build",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
]);

/** Headings that are cited, but that the contract has not: each after the id of what cites it. */
export function unknownHeadings(
  statements: readonly { readonly id: string; readonly section: string }[],
): readonly string[] {
  return statements.flatMap(({ id, section }) =>
    section
      .split("; ")
      .filter((heading) => !HEADINGS.has(heading))
      .map((heading) => `${id}: ${heading}`),
  );
}
