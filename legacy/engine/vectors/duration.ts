const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads a duration as vectors and the command line write it: `59.999s`, `30s`, `1h`, `90m`, `1ms`.
 * @returns whole milliseconds, or undefined where the text is none
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const unit = UNITS[match?.[2] ?? ""];
  if (match?.[1] === undefined || unit === undefined) return undefined;
  const ms = Math.round(Number(match[1]) * 1_000_000 * unit) / 1_000_000;
  return Number.isInteger(ms) ? ms : undefined;
}

/** A duration as {@link parseDuration} reads it: `125.001s`, `1ms`. @param ms whole milliseconds */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

/** Milliseconds as people read them: `+60.001 s`. */
export function formatClock(ms: number): string {
  return `+${(ms / 1000).toFixed(3)} s`;
}
