import type { WorldHost } from "../../engine/contract.ts";
import type { StepPlace } from "../../engine/play/exchange.ts";
import { NotApplicable } from "../../engine/play/step-ends.ts";
import { MORTALS } from "../timekeeping/mortal.ts";

/** Readings of CLOCK-RESOLUTION, by the step of the clock in ms; any other is `other`. */
const READINGS: Readonly<Record<number, string>> = { 1: "millisecond", 1000: "second" };

/** The open point about what lives longer than it has to. */
const LINGERING = "DRAFT-LIFETIME";

/**
 * Judges how long a kind of things was measured to live before anything was played (contract, "Limits").
 * @param open the open point of which it shows a reading: whether it lives longer than it has to, or by which clock
 */
export function lifetime(
  host: Pick<WorldHost, "timekeeping" | "observe" | "unmet">,
  { of: name, open }: { readonly of: string; readonly open: string },
  at: StepPlace,
): void {
  const mortal = MORTALS.find((one) => one.name === name);
  const life = host.timekeeping.lives.find(({ operation }) => operation === mortal?.operation);
  if (mortal === undefined || life?.told === undefined)
    throw new NotApplicable(`the service gave no ${name} whose end could be seen`);
  const { rules } = mortal;
  if (life.wrong !== undefined) {
    const { early, late, expected, got } = life.wrong;
    const broken = [...(early ? [rules.lives] : []), ...(late ? [rules.ends] : [])];
    host.unmet(at, broken, undefined, { message: life.told, expected, got });
  }
  const { lingers = false, lateMs, stepMs } = life;
  if (open === LINGERING) host.observe({ point: open, reading: lingers ? "longer" : "thirty-seconds" });
  else if (!lingers) host.observe({ point: open, reading: READINGS[stepMs] ?? "other" });
  if (lateMs === Number.POSITIVE_INFINITY)
    throw new NotApplicable(`${life.told}: that it ever ends was not seen`);
}
