import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recorded } from "../../engine/audit/recorded.ts";
import { RandomSource } from "../../engine/search/random-source.ts";
import { BEARERS, RandomTraffic } from "../../testing/recordings/random-traffic.ts";
import {
  APART_MS,
  recordedBy,
  withOneSpoilt,
  withoutCallers,
  withPartsLost,
  withSomeLost,
} from "../../testing/recordings/recorders.ts";
import { audited, foundIn } from "../../testing/recordings/traffic.ts";
import { WHOLE } from "../../testing/whole-tests.ts";
import type { AuditOptions } from "./traffic-judge.ts";

/** Traffic of each kind of bearers that is tried. */
const TRIED = WHOLE ? 8 : 3;

type Recording = readonly [items: readonly Recorded[], options: Partial<AuditOptions>];

/** What others have of the same traffic. */
function recordingsOf(items: readonly Recorded[], draw: RandomSource): Readonly<Record<string, Recording>> {
  const whole = { complete: true };
  const apart = { clockDoubtMs: APART_MS };
  const near = recordedBy({ areApart: false, inSeconds: false }, items, draw);
  const inSeconds = recordedBy({ areApart: false, inSeconds: true }, items, draw);
  const far = recordedBy({ areApart: true, inSeconds: false }, items, draw);
  const farInSeconds = recordedBy({ areApart: true, inSeconds: true }, items, draw);
  const onClock = items.map((item) => ({ ...item, clockMs: item.startedMs }));
  const clocks = new Map(items.map(({ source, startedMs }) => [source.line, startedMs]));
  const mixed = far.map((item) => {
    const clockMs = clocks.get(item.source.line);
    return item.source.file === "recording 1" && clockMs !== undefined ? { ...item, clockMs } : item;
  });
  return {
    "on its clock": [onClock, whole],
    whole: [near, whole],
    "whole, in seconds": [inSeconds, whole],
    "whole, by three": [far, { ...whole, ...apart }],
    "whole, by three in seconds": [farInSeconds, { ...whole, ...apart }],
    "whole, by three, one on its clock": [mixed, { ...whole, clockDoubtMs: 2 * APART_MS }],
    "whole but for parts": [withPartsLost(near, draw), whole],
    "whole but for parts, by three": [withPartsLost(far, draw), { ...whole, ...apart }],
    "in part": [withSomeLost(near, draw), {}],
    "in part, without restarts": [
      withSomeLost(near, draw).filter(({ kind }) => kind === "exchange"),
      { facts: {} },
    ],
    "in part, by three": [withSomeLost(farInSeconds, draw), apart],
    "in part, without callers": [withoutCallers(withSomeLost(near, draw)), {}],
  };
}

for (const bearers of BEARERS)
  test(`nothing is found in random traffic whose sessions have a bearer ${bearers.replaceAll("-", " ")}`, async () => {
    for (let seed = 1; seed <= TRIED; seed++) {
      const draw = new RandomSource(seed);
      const items = await RandomTraffic.recorded(draw, bearers);
      for (const [name, [recorded, options]] of Object.entries(recordingsOf(items, draw)))
        assert.deepEqual(foundIn(audited(recorded, options)), [], `seed ${seed}, ${name}`);
    }
  });

test("one answer that is spoilt is found", async () => {
  for (let seed = 1; seed <= 3 * TRIED; seed++) {
    const draw = new RandomSource(seed);
    const items = withOneSpoilt(await RandomTraffic.recorded(draw, "of-its-own"), draw);
    const seen = recordedBy({ areApart: false, inSeconds: false }, items, draw);
    assert.ok(audited(seen, { complete: true }).found > 0, `seed ${seed}`);
  }
});
