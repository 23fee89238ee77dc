import type { Exchange } from "../../engine/play/exchange.ts";
import type { Advice } from "../../engine/play/judgement.ts";

/** A line of a stack trace, its heading, or a line of a source file, in the languages that services are written in. */
const INTERNALS =
  /^\s*at \S.*[(:]|Traceback \(most recent call last\)|^goroutine \d+ \[|panicked at |[\w-]\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs)(?::\d+|", line \d+)/m;

/** What an error answer tells of the insides of the service. */
export function adviseOnError({ body }: Exchange): readonly Advice[] {
  const texts = Object.values(body).filter((value) => typeof value === "string");
  if (!texts.some((text) => INTERNALS.test(text))) return [];
  return [{ rule: "ERROR-22", message: "an error answer shows a stack trace or a place in a source file" }];
}
