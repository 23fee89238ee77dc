import type { Failure, Result } from "../engine/play/result.ts";

/** A result without the exchanges, in which services draw ids and bearers by chance. */
export function withoutChance({ trace: _, failures, incidental, ...result }: Result) {
  return { ...result, failures: failures.map(unsaid), incidental: incidental.map(unsaid) };
}

function unsaid({ request: _, response: __, ...failure }: Failure) {
  return failure;
}
