import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { AskElsewhere, MeasuredSideBySide } from "../../engine/contract.ts";
import type { Life } from "../../engine/play/timekeeping.ts";
import { partsOfRoom } from "../judge/measure-room.ts";
import type { SeenRoom } from "../room.ts";
import { Bench } from "./bench.ts";
import { measureLife, timekeepingOf } from "./measure-timekeeping.ts";
import { MORTALS } from "./mortal.ts";

/**
 * Measures room and lifetimes at once, each on a service of its own. Services that turn out not to be apart, or have not what
 * most have, are for who measures one thing after the other: what others ask meanwhile makes nothing look usual that is not.
 * @returns undefined where anything is unusual
 */
export async function measureSideBySide(
  elsewhere: AskElsewhere,
  { facts }: Pick<ImplementationInfo, "facts">,
  label: string,
  startMs: number,
): Promise<MeasuredSideBySide | undefined> {
  const [rooms, lives] = await Promise.all([
    Promise.all(
      partsOfRoom(facts).map((part) =>
        elsewhere(async (lane) => {
          const found: SeenRoom = {};
          await part(lane, label, startMs, found);
          return found;
        }),
      ),
    ),
    Promise.all(
      MORTALS.map((mortal) =>
        elsewhere(async (lane) => measureLife(mortal, await Bench.start(lane, label, startMs))),
      ),
    ),
  ]);
  const isUsual = lives.every(isExact) && rooms.every((room) => Object.keys(room).length === 0);
  return isUsual ? { room: {}, timekeeping: timekeepingOf(lives) } : undefined;
}

function isExact({ told, stepMs, earlyMs, lateMs, wrong }: Life): boolean {
  return told !== undefined && stepMs === 1 && earlyMs === 0 && lateMs === 0 && wrong === undefined;
}
