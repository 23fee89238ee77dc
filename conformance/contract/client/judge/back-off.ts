import type { Violation } from "../../../engine/client/trace.ts";
import { OUTCOMES } from "../../operations.ts";
import type { Asked, ClientReading } from "./client-reading.ts";
import { brokenBy, requestName } from "./found.ts";

/**
 * Nobody who waits on purpose waits less: in ms by the client's own reckoning, and in real ms, since nobody asks again much
 * faster, either.
 */
const LEAST_WAIT_MS = 10;
const LEAST_REAL_MS = 5;
/** A wait that is drawn at random may be short; so many are looked at before anything is said, and most of them count. */
const LEAST_WAITS = 3;
const MOST_OF_THEM = 0.8;

/** After 429 some time passes (contract, "Errors"): not nearly all of the waits in a vector are none. */
export function judgeBackOff({ asked, trace }: ClientReading): readonly Violation[] {
  const leastMs = Math.max(LEAST_REAL_MS, LEAST_WAIT_MS * trace.waitScale);
  const waits = asked.flatMap((one) => waitAfter(one, asked));
  const short = waits.filter(({ ms }) => ms < leastMs);
  const [first] = short;
  if (first === undefined || waits.length < LEAST_WAITS || short.length < waits.length * MOST_OF_THEM)
    return [];
  return [
    brokenBy(first.again, "CLIENT-LIMIT-1", {
      message: `${requestName(first.again)} is asked for again at once after 429`,
      expected: "some time in between",
      got: `${short.length} of ${waits.length} times sent again at once`,
    }),
  ];
}

/** How long it took until the same launch asked for the same again; none where it cannot be told, or did not. */
function waitAfter(
  refused: Asked,
  asked: readonly Asked[],
): readonly { readonly again: Asked; readonly ms: number }[] {
  const isBusy = refused.status === OUTCOMES.full.status && refused.launches.length === 1;
  if (!isBusy || (delayOf(refused) ?? 0) > 0) return [];
  const again = asked.find(
    (one) =>
      one.turn.index > refused.turn.index &&
      one.operation === refused.operation &&
      one.launches.length === 1 &&
      one.launches[0] === refused.launches[0],
  );
  return again === undefined ? [] : [{ again, ms: again.turn.atMs - refused.turn.answeredAtMs }];
}

function delayOf({ turn: { answer } }: Asked): number | undefined {
  return answer.kind === "answer" ? answer.delayMs : undefined;
}
