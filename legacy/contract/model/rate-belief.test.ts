import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { timeInSteps } from "../../testing/timekeeping.ts";
import { RateBelief } from "./rate-belief.ts";

const START = 1_791_633_607_137;
const moment = (ms: number) => ({ earliest: ms, latest: ms });
const belief = (resolutionMs = 1) =>
  new RateBelief([START], { timekeeping: timeInSteps(resolutionMs), toleranceMs: 0 });

/** A limiter as a service might have one: whether it has room at a time, and what it does when a build counts. */
interface Limiter {
  room(now: number): boolean;
  count(now: number): void;
}

const LIMITERS: Readonly<Record<string, () => Limiter>> = {
  "each build counts for a minute": () => sliding((age) => age < 60_000),
  "each build counts for a minute and its last instant": () => sliding((age) => age <= 60_000),
  "a minute from the first build": () => windows((now) => now),
  "minutes of the clock": () => windows((now) => now - (now % 60_000)),
  "minutes since the start": () => windows((now) => now - ((now - START) % 60_000)),
  "a place every twelve seconds, bit by bit": () => {
    let [places, at] = [5, START];
    const refill = (now: number) => {
      places = Math.min(5, places + (now - at) / 12_000);
      at = now;
    };
    return {
      room: (now) => {
        refill(now);
        return places >= 1;
      },
      count: () => {
        places -= 1;
      },
    };
  },
  "a whole place every twelve seconds": () => {
    let places = 5;
    let at: number | undefined;
    return {
      room: (now) => {
        at ??= now;
        const steps = Math.floor((now - at) / 12_000);
        places = Math.min(5, places + steps);
        at += steps * 12_000;
        return places >= 1;
      },
      count: () => {
        places -= 1;
      },
    };
  },
};

function sliding(counts: (age: number) => boolean): Limiter {
  let times: number[] = [];
  return {
    room: (now) => {
      times = times.filter((time) => counts(now - time));
      return times.length < 5;
    },
    count: (now) => times.push(now),
  };
}

function windows(startOf: (now: number) => number): Limiter {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0];
  return {
    room: (now) => {
      if (now - start >= 60_000) [start, count] = [startOf(now), 0];
      return count < 5;
    },
    count: () => {
      count += 1;
    },
  };
}

/** Waits that meet the edges of minutes and of places. */
const wait = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(1, 11_999, 12_000, 12_001, 29_999, 59_999, 60_000, 60_001) },
  { weight: 1, arbitrary: fc.nat(90_000) },
);
const builds = fc.array(fc.record({ wait, refused: fc.boolean(), known: fc.boolean() }), { maxLength: 40 });

describe("a limiter of any shape", () => {
  for (const [name, make] of Object.entries(LIMITERS)) {
    for (const counts of [false, true]) {
      test(`${name}${counts ? ", refused builds included" : ""}, is never contradicted`, () => {
        const property = fc.property(builds, (sequence) => {
          const [limiter, seen] = [make(), belief()];
          let now = START;
          for (const build of sequence) {
            now += build.wait;
            const room = limiter.room(now);
            if (build.refused && build.known && room) {
              if (counts) limiter.count(now);
              seen.refused(moment(now), "400");
              continue;
            }
            const verdict = seen.verdict(moment(now));
            if (room) {
              assert.notEqual(verdict, "refuse");
              limiter.count(now);
              seen.accepted(moment(now));
            } else {
              assert.notEqual(verdict, "accept");
              seen.limited(moment(now));
            }
          }
        });
        fc.assert(property, { seed: 1, numRuns: 150 });
      });
    }
  }
});

describe("what the contract asks of every limiter", () => {
  test("five builds at one instant pass and the sixth does not", () => {
    const seen = belief();
    for (let count = 0; count < 5; count++) {
      assert.equal(seen.verdict(moment(START)), "accept");
      seen.accepted(moment(START));
    }
    assert.equal(seen.verdict(moment(START)), "refuse");
  });

  test("after a minute without builds five pass again", () => {
    const seen = belief();
    for (let count = 0; count < 5; count++) seen.accepted(moment(START));
    const later = moment(START + 60_001);
    assert.equal(seen.verdict(later), "accept");
    for (let count = 0; count < 4; count++) seen.accepted(later);
    assert.equal(seen.verdict(later), "accept");
  });

  test("a place that a refused build gave back has no explanation", () => {
    const seen = belief();
    for (let count = 0; count < 5; count++) seen.accepted(moment(START));
    seen.limited(moment(START));
    assert.equal(seen.verdict(moment(START)), "refuse");
  });

  test("a spent minute that lasts for two has no explanation", () => {
    const seen = belief();
    for (let count = 0; count < 5; count++) seen.accepted(moment(START));
    seen.limited(moment(START));
    assert.equal(seen.verdict(moment(START + 60_001)), "accept");
  });

  test("at the instant itself, and within the step of a coarse clock, it may be either", () => {
    const [exact, coarse] = [belief(), belief(1000)];
    for (const seen of [exact, coarse]) for (let count = 0; count < 5; count++) seen.accepted(moment(START));
    assert.equal(exact.verdict(moment(START + 60_000)), "either");
    assert.equal(coarse.verdict(moment(START + 60_900)), "either");
    assert.equal(coarse.verdict(moment(START + 61_001)), "accept");
  });
});
