import type { Violation } from "../../../engine/client/trace.ts";
import type { Asked, ClientReading, Launch } from "./client-reading.ts";

/** The violation of a rule by a request. */
export function brokenBy(
  asked: Asked,
  rule: string,
  told: { readonly message: string; readonly expected: string; readonly got: string },
): Violation {
  const { sentBy } = asked.turn;
  const launch = asked.launches.find(({ record }) => record.id === sentBy) ?? asked.launches[0];
  return {
    rule,
    ...told,
    turn: asked.turn.index,
    ...(launch === undefined ? {} : { task: launch.record.id }),
  };
}

/** The name of a request, counted in its launch, in a message about another request. */
export function ordinalOf({ turn, launches }: Asked, seenFrom: Asked): string {
  const own = launches.find(({ record }) => record.id === turn.sentBy) ?? launches[0];
  const isSame = own === undefined || seenFrom.launches.includes(own);
  return `request ${turn.index - (own?.record.fromTurn ?? 0) + 1}${isSame ? "" : ` of ${own.record.id}`}`;
}

/** The name of a request in messages. */
export function requestName({ turn: { request }, path }: Asked): string {
  return `${request.method} ${path}`;
}

/**
 * The requests that a launch may have sent, or whose responses it may know, in order. Concurrent launches may share the
 * profile, a session and waits.
 */
export function requestsOf(launch: Launch, { asked }: ClientReading): readonly Asked[] {
  return asked.filter(({ launches }) => launches.includes(launch));
}
