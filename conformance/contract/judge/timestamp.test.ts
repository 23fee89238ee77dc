import assert from "node:assert/strict";
import { test } from "node:test";
import { clockResolution, containsMoment, parseTimestamp } from "./timestamp.ts";

const MS = Date.UTC(2026, 9, 10, 12, 1, 7, 137);
const WHOLE = MS - 137;

/** Each way to write the moment that is read where it is known about when it is. */
for (const [value, form] of [
  ["20261010120107", "date-text"],
  [20261010120107, "date-text"],
  ["20261010120107137", "date-text"],
  [WHOLE / 1000 + 62_167_219_200, "other-epoch"],
  [MS - Date.UTC(2000, 0), "other-epoch"],
  [(MS - Date.UTC(2000, 0)) * 1000, "other-epoch"],
  [WHOLE / 1000 + 2_082_844_800, "other-epoch"],
  [MS / 86_400_000 + 2_440_587.5, "other-epoch"],
  [MS / 86_400_000 + 40_587, "other-epoch"],
  [MS / 86_400_000 + 719_529, "other-epoch"],
  [MS / 86_400_000, "other-epoch"],
  [MS / 60_000, "other-epoch"],
  [WHOLE / 100, "other-epoch"],
  [MS * 10_000 + 621_355_968e9, "other-epoch"],
  [MS.toString(16), "hexadecimal"],
  [`0x${(WHOLE / 1000).toString(16)}`, "hexadecimal"],
  [{ milliseconds: MS }, "object"],
] as const) {
  test(`${JSON.stringify(value)} is a moment near another`, () => {
    const read = parseTimestamp(value, MS - 60_000);
    assert.equal(read?.form, form);
    assert.ok([MS, WHOLE].includes(read?.ms ?? 0), String(read?.ms));
  });
}

test("hexadecimal digits that are all decimal are read as what they stand for", () => {
  const ms = 0x199_1234_5678;
  assert.deepEqual(parseTimestamp(ms.toString(16), ms - 60_000), { ms, form: "hexadecimal", precisionMs: 1 });
});

for (const value of [
  60,
  60_000,
  "60",
  { year: 2026, month: 10, day: 10, hour: 12, second: 7 },
  { low: 417e6 },
]) {
  test(`${JSON.stringify(value)} is no moment near another`, () => {
    assert.equal(parseTimestamp(value, MS - 60_000), undefined);
  });
}

/** Each way to write the moment: the value, what it stands for, its form and the finest step that it can show. */
for (const [value, ms, form, precisionMs] of [
  ["2026-10-10T12:01:07.137Z", MS, "iso-8601", 1],
  ["2026-10-10T12:01:07.137000000Z", MS, "iso-8601", 1],
  ["2026-10-10T12:01:07.1Z", WHOLE + 100, "iso-8601", 100],
  ["2026-10-10T12:01:07,13Z", WHOLE + 130, "iso-8601", 10],
  ["2026-10-10T12:01:07Z", WHOLE, "iso-8601", 1000],
  ["2026-10-10t12:01:07z", WHOLE, "iso-8601", 1000],
  ["2026-10-10 12:01:07.137", MS, "iso-8601", 1],
  ["2026-10-10T14:01:07.137+02:00", MS, "iso-8601", 1],
  ["2026-10-10T17:31:07+0530", WHOLE, "iso-8601", 1000],
  ["2026-10-10 07:01:07.137-05", MS, "iso-8601", 1],
  ["20261010T120107Z", WHOLE, "iso-8601", 1000],
  ["20261010T120107.137+0000", MS, "iso-8601", 1],
  ["2026-10-09T24:00:00Z", Date.UTC(2026, 9, 10), "iso-8601", 1000],
  ["2026-10-10T24:00:47.137Z", Date.UTC(2026, 9, 11) + 47_137, "iso-8601", 1],
  ["2026-10-10T12:01Z", WHOLE - 7_000, "iso-8601", 1000],
  ["Sat, 10 Oct 2026 12:01:07 GMT", WHOLE, "rfc-1123", 1000],
  ["10 Oct 2026 14:01:07 +0200", WHOLE, "rfc-1123", 1000],
  ["2026-10-10 12:01:07 UTC", WHOLE, "iso-8601", 1000],
  ["2026-10-10 14:01:07 +0200", WHOLE, "iso-8601", 1000],
  ["2026-10-10 12:01:07.137 +0000 UTC", MS, "iso-8601", 1],
  ["2026-10-10T12:01:07.137Z[UTC]", MS, "iso-8601", 1],
  ["2026-10-10T14:01:07+02:00[Europe/Berlin]", WHOLE, "iso-8601", 1000],
  ["Sat Oct 10 12:01:07 2026", WHOLE, "date-text", 1000],
  ["Sat Oct 10 12:01:07 UTC 2026", WHOLE, "date-text", 1000],
  ["Sat Oct 10 2026 14:01:07 GMT+0200 (Central European Summer Time)", WHOLE, "date-text", 1000],
  [WHOLE / 1000, WHOLE, "epoch-seconds", 1000],
  [MS / 1000, MS, "epoch-seconds", 1],
  [String(WHOLE / 1000), WHOLE, "epoch-seconds", 1000],
  ["1791633667.137", MS, "epoch-seconds", 1],
  [MS, MS, "epoch-milliseconds", 1],
  [String(MS), MS, "epoch-milliseconds", 1],
  [MS * 1000, MS, "epoch-microseconds", 1],
  [`${MS}000`, MS, "epoch-microseconds", 1],
  [`${MS}000000`, MS, "epoch-nanoseconds", 1],
] as const) {
  test(`${JSON.stringify(value)} is a moment`, () => {
    assert.deepEqual(parseTimestamp(value), { ms, form, precisionMs });
  });
}

for (const value of [
  "",
  "soon",
  "60",
  60,
  0,
  -MS,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "2026-10-10",
  "12:01:07",
  "2026-13-10T12:01:07Z",
  "2026-10-10T25:01:07Z",
  "Sat, 10 Foo 2026 12:01:07 GMT",
  "Sat Foo 10 12:01:07 2026",
  "2026-10-10 12:01:07 soon",
  "99999999999999999999999",
  true,
  null,
  undefined,
  {},
  [MS],
]) {
  test(`${JSON.stringify(value) ?? "nothing"} is no moment`, () => {
    assert.equal(parseTimestamp(value), undefined);
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
    const written = parseTimestamp(value);
    assert.equal(written === undefined ? undefined : clockResolution(written), resolution);
  });
}

const binary = (write: (view: DataView) => void, length = 8) => {
  const bytes = new Uint8Array(length + 6).fill(0x2e);
  write(new DataView(bytes.buffer, 3));
  return bytes;
};
const SECONDS = WHOLE / 1000;

/** Ways to say the moment inside of a message. */
for (const [what, message] of [
  ["ISO 8601", "expires 2026-10-10T12:01:07.137Z."],
  ["another zone", "expires 2026-10-10T14:01:07+02:00."],
  ["a space and no zone", "Expires: 2026-10-10 12:01:07\n"],
  ["twelve hours and no zone", "Expires: 2026-10-10 02:01:07 PM"],
  ["Go", "2026-10-10 12:01:07.137 +0000 UTC"],
  ["a query", "exp=2026-10-10T12%3A01%3A07.137Z&aud=offline-demo"],
  ["RFC 1123", "until Sat, 10 Oct 2026 12:01:07 GMT"],
  ["JavaScript's own text", String(new Date(MS))],
  ["words", "good until 10 October 2026 at 12:01:07"],
  ["twelve hours in words", "10/10/2026, 2:01:07 PM CEST"],
  ["epoch seconds", `exp=${SECONDS}&x=1`],
  ["epoch milliseconds", `{"exp":${MS}}`],
  ["hexadecimal milliseconds", `exp:${MS.toString(16)}`],
  ["hexadecimal seconds with a prefix", `0x${SECONDS.toString(16)}`],
  ["up to the next second", "2026-10-10T12:01:08Z"],
  ["seconds in four bytes", binary((view) => view.setUint32(0, SECONDS))],
  ["seconds in four bytes, low byte first", binary((view) => view.setUint32(0, SECONDS, true))],
  ["milliseconds in eight bytes", binary((view) => view.setBigUint64(0, BigInt(MS)))],
  ["milliseconds in eight bytes, low byte first", binary((view) => view.setBigUint64(0, BigInt(MS), true))],
  ["seconds in eight bytes", binary((view) => view.setBigUint64(0, BigInt(SECONDS)))],
] as const) {
  test(`a message says the moment as ${what}`, () => {
    assert.equal(containsMoment(Buffer.from(message as string), MS, 1000), true);
  });
}

for (const [what, message] of [
  ["nothing", ""],
  ["the issue", "2026-10-10T12:00:07.137Z"],
  ["the issue in words", "10 October 2026 at 12:00:07"],
  ["two seconds later", "2026-10-10T12:01:09.138Z"],
  ["the wrong zone", "2026-10-10T12:01:07+02:00"],
  ["the wrong day", "2026-10-11T12:01:07Z"],
  ["digits inside of a longer number", `9${MS}9`],
  ["digits inside of a word", `x${SECONDS}y`],
  ["the wrong seconds", `${SECONDS + 60}`],
  ["other bytes", binary((view) => view.setUint32(0, SECONDS - 60))],
] as const) {
  test(`a message that says ${what} does not say the moment`, () => {
    assert.equal(containsMoment(Buffer.from(message as string), MS, 1000), false);
  });
}
