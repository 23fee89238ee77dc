/** A moment as ISO 8601 in UTC, to the microsecond: requests to a service in the same process take but a few. */
export function momentText(ms: number): string {
  const micros = Math.round(ms * 1000);
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = micros % 1000;
  return rest === 0 ? text : text.replace("Z", `${String(rest).padStart(3, "0")}Z`);
}

/** How long it is from one moment to another, in ms, as far as {@link momentText} tells them. */
export function spanMs(fromMs: number, toMs: number): number {
  return Math.max(0, Math.round(toMs * 1000) - Math.round(fromMs * 1000)) / 1000;
}

/** A moment in ISO 8601, in ms since the Unix epoch, with what the text says of fractions; NaN where it is none. */
export function parsedMoment(text: string): number {
  const finer = /\.\d{3}(\d+)/.exec(text)?.[1];
  return Date.parse(text) + (finer === undefined ? 0 : Number(`0.${finer}`));
}
