/** The ways in which services write a moment; the contract leaves it open ("Challenge", "Session"). */
export type TimestampForm =
  | "iso-8601"
  | "rfc-1123"
  | "epoch-seconds"
  | "epoch-milliseconds"
  | "epoch-microseconds"
  | "epoch-nanoseconds";

export interface Timestamp {
  /** Milliseconds since the Unix epoch. */
  readonly ms: number;
  readonly form: TimestampForm;
  /** The finest step that this way of writing can show, in ms. */
  readonly precisionMs: number;
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,](\d+))?)?(?:Z|[+-]\d\d:?\d\d)?$/i;
const RFC_1123 = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/;

/** Reads a moment in any usual form: ISO 8601, RFC 1123, epoch seconds to nanoseconds as a number or as digits. */
export function parseTimestamp(value: unknown): Timestamp | undefined {
  if (typeof value === "number") return fromEpoch(value, Number.isInteger(value));
  if (typeof value !== "string") return undefined;
  if (/^\d{9,19}(?:\.\d+)?$/.test(value)) return fromEpoch(Number(value), !value.includes("."));
  const iso = ISO.exec(value);
  if (iso !== null) return fromIso(value, iso[1]);
  if (!RFC_1123.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : { ms, form: "rfc-1123", precisionMs: 1000 };
}

function fromEpoch(value: number, whole: boolean): Timestamp | undefined {
  if (!Number.isFinite(value) || value < 1e8) return undefined;
  if (value < 1e11) {
    return { ms: Math.round(value * 1000), form: "epoch-seconds", precisionMs: whole ? 1000 : 1 };
  }
  if (value < 1e14) return { ms: Math.round(value), form: "epoch-milliseconds", precisionMs: 1 };
  if (value < 1e17) return { ms: Math.round(value / 1e3), form: "epoch-microseconds", precisionMs: 1 };
  return { ms: Math.round(value / 1e6), form: "epoch-nanoseconds", precisionMs: 1 };
}

function fromIso(text: string, fraction: string | undefined): Timestamp | undefined {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.slice(10)) ? text : `${text}Z`;
  const ms = Date.parse(zoned.replace(" ", "T").replace(",", ".").replace(/z$/, "Z"));
  if (Number.isNaN(ms)) return undefined;
  const digits = fraction?.length ?? 0;
  return { ms, form: "iso-8601", precisionMs: Math.max(1, 10 ** (3 - digits)) };
}

/**
 * The step in which a service counts time, read off a moment that it wrote down for an instant between two seconds
 * (a clock reading such as …​.137 s keeps its last digits only where the service counts milliseconds).
 * @returns 1, 10, 100 or 1000 ms
 */
export function clockResolution({ ms, precisionMs }: Timestamp): number {
  const counted = [1000, 100, 10].find((step) => ms % step === 0) ?? 1;
  return Math.min(1000, Math.max(counted, precisionMs));
}

/** Whether a text or its bytes hold the moment `ms`, to within `toleranceMs`, in any form that {@link parseTimestamp} reads or as a binary integer. */
export function containsMoment(bytes: Uint8Array, ms: number, toleranceMs: number): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  const near = (found: Timestamp | undefined) =>
    found !== undefined && Math.abs(found.ms - ms) <= toleranceMs;
  const written = text.matchAll(
    /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})|(?<![\dA-Za-z])\d{9,19}(?:\.\d+)?(?![\dA-Za-z])/gi,
  );
  for (const [found] of written) if (near(parseTimestamp(found))) return true;
  return (
    binaryMoments(bytes).some((found) => Math.abs(found - ms) <= toleranceMs) ||
    hexMoment(text, ms, toleranceMs)
  );
}

/** Every 4- and 8-byte integer in the bytes, read as seconds or milliseconds in either byte order. */
function binaryMoments(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const moments: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++) {
    for (const littleEndian of [true, false]) {
      moments.push(view.getUint32(at, littleEndian) * 1000);
      if (at + 8 > bytes.length) continue;
      const long = Number(view.getBigUint64(at, littleEndian));
      moments.push(long, long * 1000);
    }
  }
  return moments;
}

function hexMoment(text: string, ms: number, toleranceMs: number): boolean {
  return [...text.matchAll(/(?:0x)?\b([0-9a-f]{8,16})\b/gi)].some(([, digits]) => {
    const value = Number.parseInt(digits ?? "", 16);
    return Math.abs(value - ms) <= toleranceMs || Math.abs(value * 1000 - ms) <= toleranceMs;
  });
}
