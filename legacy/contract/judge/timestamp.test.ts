import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockResolution,
  holdsMoment,
  isNoMoment,
  mayHoldUnreadMoment,
  parseTimestamp,
  timestampForm,
} from "./timestamp.ts";

const MS = Date.UTC(2026, 9, 10, 12, 1, 7, 137);
const WHOLE = MS - 137;

/** Other forms of the moment: legal, and not read. */
for (const value of [
  "20261010120107",
  20261010120107,
  WHOLE / 1000 + 62_167_219_200,
  MS - Date.UTC(2000, 0),
  (MS - Date.UTC(2000, 0)) * 1000,
  WHOLE / 1000 + 2_082_844_800,
  MS / 86_400_000 + 2_440_587.5,
  MS / 86_400_000 + 40_587,
  MS / 86_400_000,
  MS / 60_000,
  MS * 10_000 + 621_355_968e9,
  MS * 1000,
  `${MS}000000`,
  MS.toString(16),
  `0x${(WHOLE / 1000).toString(16)}`,
  { seconds: WHOLE / 1000, nanos: 137e6 },
  { $date: "2026-10-10T12:01:07.137Z" },
  [2026, 10, 10, 12, 1, 7],
  "20261010T120107Z",
  "2026-10-10T12:01:07,13Z",
  "2026-10-10T17:31:07+0530",
  "2026-10-10 12:01:07 UTC",
  "2026-10-10T12:01:07.137Z[UTC]",
  "2026-10-10",
  "12:01:07",
  "10 Oct 2026 14:01:07 +0200",
  "Sat Oct 10 2026 14:01:07 GMT+0200 (Central European Summer Time)",
  "2026-W41-6T12:01:07Z",
  "99999999999999999999999",
]) {
  test(`${JSON.stringify(value)} is a moment in a form that is not read`, () => {
    assert.equal(parseTimestamp(value, MS), undefined);
    assert.equal(timestampForm(value, MS), "not-read");
  });
}

/** Each way to write the moment: the value, what it stands for, its form and the finest step that it can show. */
for (const [value, ms, form, precisionMs] of [
  ["2026-10-10T12:01:07.137Z", MS, "iso-8601", 1],
  ["2026-10-10T12:01:07.137000000Z", MS, "iso-8601", 1],
  ["2026-10-10T12:01:07.1Z", WHOLE + 100, "iso-8601", 100],
  ["2026-10-10T12:01:07Z", WHOLE, "iso-8601", 1000],
  ["2026-10-10t12:01:07z", WHOLE, "iso-8601", 1000],
  ["2026-10-10 12:01:07.137", MS, "iso-8601", 1],
  ["2026-10-10 07:01:07.137-05:00", MS, "iso-8601", 1],
  ["2026-10-10T14:01:07.137+02:00", MS, "iso-8601", 1],
  ["2026-10-09T24:00:00Z", Date.UTC(2026, 9, 10), "iso-8601", 1000],
  ["Sat, 10 Oct 2026 12:01:07 GMT", WHOLE, "rfc-1123", 1000],
  ["Saturday, 10-Oct-26 12:01:07 GMT", WHOLE, "rfc-1123", 1000],
  ["Sat Oct 10 12:01:07 2026", WHOLE, "rfc-1123", 1000],
  ["Thu Oct  8 12:01:07 2026", WHOLE - 2 * 86_400_000, "rfc-1123", 1000],
  [WHOLE / 1000, WHOLE, "epoch-seconds", 1000],
  [MS / 1000, MS, "epoch-seconds", 1],
  [String(WHOLE / 1000), WHOLE, "epoch-seconds", 1000],
  ["1791633667.137", MS, "epoch-seconds", 1],
  [MS, MS, "epoch-milliseconds", 1],
  [String(MS), MS, "epoch-milliseconds", 1],
] as const) {
  test(`${JSON.stringify(value)} is a moment`, () => {
    assert.deepEqual(parseTimestamp(value, MS - 60_000), { ms, form, precisionMs });
  });
}

for (const value of [
  "",
  "soon",
  "x".repeat(500).concat("1"),
  "60",
  60,
  3600,
  59_998,
  3_600_000,
  "60000000",
  0,
  -MS,
  "2026-13-10T12:01:07Z",
  "2026-10-10T25:01:07Z",
  "2026-10-10T24:00:47.137Z",
  "Sat, 10 Foo 2026 12:01:07 GMT",
  "Sat Foo 10 12:01:07 2026",
  true,
  null,
  undefined,
  {},
]) {
  test(`${JSON.stringify(value)?.slice(0, 50) ?? "nothing"} is not a moment in any form`, () => {
    assert.equal(parseTimestamp(value, MS), undefined);
    assert.equal(isNoMoment(value), true);
  });
}

for (const [value, resolution] of [
  ["2026-10-10T12:01:07.137Z", 1],
  ["2026-10-10T12:01:07.130Z", 10],
  ["2026-10-10T12:01:07.100Z", 100],
  ["2026-10-10T12:01:07.000Z", 1000],
  ["2026-10-10T12:02:00.000Z", 1000],
  ["2026-10-10T12:01:07.13Z", 10],
  ["2026-10-10T12:01:07Z", 1000],
  [1791633667, 1000],
  [1791633667.137, 1],
] as const) {
  test(`a service that writes ${JSON.stringify(value)} counts in steps of ${resolution} ms`, () => {
    const written = parseTimestamp(value, MS);
    assert.equal(written === undefined ? undefined : clockResolution(written), resolution);
  });
}

const SECONDS = WHOLE / 1000;
const binary = (write: (view: DataView) => void, length = 8) => {
  const bytes = new Uint8Array(length + 6).fill(0x2e);
  write(new DataView(bytes.buffer, 3));
  return bytes;
};

/** Messages, and whether they contain the moment. */
for (const [what, message, holds] of [
  ["RFC 3339", "expires 2026-10-10T12:01:07.137Z.", true],
  ["another zone", "expires 2026-10-10T14:01:07+02:00.", true],
  ["a space and no zone", "Expires: 2026-10-10 12:01:07\n", true],
  ["a query", "exp=2026-10-10T12%3A01%3A07.137Z&aud=offline-demo", true],
  ["a date of RFC 9110", "until Sat, 10 Oct 2026 12:01:07 GMT", true],
  ["Unix seconds", `exp=${SECONDS}&x=1`, true],
  ["Unix milliseconds", `{"exp":${MS}}`, true],
  ["the next second", "2026-10-10T12:01:08Z", true],
  ["twelve hours and no zone", "Expires: 2026-10-10 02:01:07 PM", "not-read"],
  ["JavaScript's own text", String(new Date(MS)), "not-read"],
  ["words", "good until 10 October 2026 at 12:01:07", "not-read"],
  ["another moment in words", "10 October 2026 at 12:00:07", "not-read"],
  ["hexadecimal milliseconds", `exp:${MS.toString(16)}`, "not-read"],
  ["hexadecimal seconds with a prefix", `0x${SECONDS.toString(16)}`, "not-read"],
  ["seconds in four bytes", binary((view) => view.setUint32(0, SECONDS)), "not-read"],
  ["milliseconds in eight bytes", binary((view) => view.setBigUint64(0, BigInt(MS))), "not-read"],
  ["nothing", "", false],
  ["a nonce", "Nonce: 0d9a1b2c-3d4e-4f50-8a6b-7c8d9e0fa1b2", false],
  ["another nonce", "Nonce: 5f0c7e1d2b3a49586f7081a2b3c4d5e6", false],
  ["the issue", "2026-10-10T12:00:07.137Z", false],
  ["two seconds later", "2026-10-10T12:01:09.138Z", false],
  ["the wrong zone", "2026-10-10T12:01:07+02:00", false],
  ["the wrong day", "2026-10-11T12:01:07Z", false],
  ["digits inside of a longer number", `9${MS}9`, false],
  ["digits inside of a word", `x${SECONDS}y`, false],
  ["the wrong seconds", `${SECONDS + 60}`, false],
  ["a lifetime", "Expires: in 60 seconds", false],
] as const) {
  test(`whether a message of ${what} holds the moment: ${holds}`, () => {
    const bytes = Buffer.from(message as string);
    assert.equal(holdsMoment(bytes, MS, 1000), holds === true);
    if (holds !== true) assert.equal(mayHoldUnreadMoment(bytes), holds === "not-read");
  });
}
