import type { Violation } from "../../../engine/client/trace.ts";
import { OUTCOMES } from "../../operations.ts";
import { type Asked, type ClientReading, wasTold } from "./client-reading.ts";
import { brokenBy, requestName } from "./found.ts";

/**
 * Nobody who waits on purpose waits less: in ms by the client's own reckoning, and in real ms, since nobody asks again much
 * faster, either.
 */
const LEAST_WAIT_MS = 10;
const LEAST_REAL_MS = 5;
/** A wait that is drawn at random may be short; so many are looked at before anything is said, and most of them count. */
const LEAST_WAITS = 3;
/**
 * As many of those that follow a wait for the same thing: drawn at random they are mostly longer than the first, and who
 * waits but once does not back off.
 */
const LEAST_LATER_WAITS = 4;
const MOST_OF_THEM = 0.8;

/** How long it took until the same launch asked for the same again. */
interface Wait {
  readonly again: Asked;
  readonly ms: number;
  /** Whether what was asked for had been answered 429 before, too. */
  readonly isLater: boolean;
}

/** After 429 some time passes (contract, "Errors"): not nearly all of the waits in a vector are none. */
export function judgeBackOff({ asked, trace }: ClientReading): readonly Violation[] {
  const leastMs = Math.max(LEAST_REAL_MS, LEAST_WAIT_MS * trace.waitScale);
  const waits = asked.flatMap((one) => waitAfter(one, asked));
  return (
    judgeWaits(waits, LEAST_WAITS, leastMs) ??
    judgeWaits(
      waits.filter(({ isLater }) => isLater),
      LEAST_LATER_WAITS,
      leastMs,
    ) ??
    []
  );
}

/** Undefined where there are too few of them, or where they are long enough. */
function judgeWaits(
  waits: readonly Wait[],
  leastWaits: number,
  leastMs: number,
): readonly Violation[] | undefined {
  const short = waits.filter(({ ms }) => ms < leastMs);
  const [first] = short;
  if (first === undefined || waits.length < leastWaits || short.length < waits.length * MOST_OF_THEM)
    return undefined;
  const which = first.isLater ? ", each after a wait" : "";
  return [
    brokenBy(first.again, "CLIENT-LIMIT-1", {
      message: `${requestName(first.again)} is asked for again at once after 429`,
      expected: "some time in between",
      got: `${short.length} of ${waits.length} times sent again at once${which}`,
    }),
  ];
}

/** None where it cannot be told, or where it did not ask again. */
function waitAfter(refused: Asked, asked: readonly Asked[]): readonly Wait[] {
  if (!isBusy(refused)) return [];
  const again = asked.find((one) => isSame(refused, one) && wasTold(refused, one));
  if (again === undefined) return [];
  const isLater = asked.some((one) => isBusy(one) && isSame(one, refused) && wasTold(one, refused));
  return [{ again, ms: again.turn.atMs - refused.turn.answeredAtMs, isLater }];
}

function isBusy({ status, launches, turn: { answer } }: Asked): boolean {
  const isHeldBack = answer.kind === "answer" && (answer.delayMs ?? 0) > 0;
  return status === OUTCOMES.full.status && launches.length === 1 && !isHeldBack;
}

/** Whether two requests are the same thing, asked for by the same launch. */
function isSame(one: Asked, other: Asked): boolean {
  return (
    other.operation === one.operation && other.launches.length === 1 && other.launches[0] === one.launches[0]
  );
}
