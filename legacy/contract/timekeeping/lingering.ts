import type { Exchange } from "../../engine/play/exchange.ts";
import { LIFETIME_MS } from "../operations.ts";

/** Why a draft that is given beyond its time is not judged where time cannot be moved. */
export const LINGERS =
  "a draft may live longer than 30 s, as long as no `expiresAt` says otherwise that follows the clock; only a clock that can be moved shows that";

/** How far from the kit's the service's clock may be, in ms, and how long ago a draft may have been built. */
const RECENTLY_MS = LIFETIME_MS.session;

/**
 * Whether a draft may rightly be given at any time, as far as its own answer shows: its `expiresAt` has not just passed,
 * by a clock of milliseconds or of seconds (contract, "Unsigned draft": it may belong to a synthetic clock).
 */
export function mayLinger({ operation, status, body, sentAt }: Exchange): boolean {
  if (operation !== "build" || status !== 200) return false;
  const { expiresAt } = body;
  if (typeof expiresAt !== "number") return false;
  return ![1, 1000].some((unitMs) => {
    const ago = sentAt - expiresAt * unitMs;
    return ago >= 0 && ago < RECENTLY_MS;
  });
}
