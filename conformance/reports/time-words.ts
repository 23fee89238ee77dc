/** Where a request belongs: a vector, or what came before the first, and its step where it has one. */
export function formatPlace(id: string, step: string): string {
  return [id, step === "" ? "" : `step ${step}`].filter((part) => part !== "").join(", ");
}

/** A time in seconds, with as many digits as matter: `41 s`, `6.1 s`, `0.02 s`. */
export function formatSeconds(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 10 || Number.isInteger(seconds)) return `${Math.round(seconds)} s`;
  return `${seconds.toFixed(seconds >= 0.1 ? 1 : 2)} s`;
}

/** How long a request took: in ms below a second. */
export function formatLatency(ms: number): string {
  if (ms >= 1000) return formatSeconds(ms);
  if (ms < 0.01) return "under 0.01 ms";
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(2))} ms`;
}
