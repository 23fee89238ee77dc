import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AnyOf,
  type Contradiction,
  Effort,
  linearization,
  minimalSubset,
  Partition,
  type PartitionFinding,
  type Player,
  type Spanned,
} from "./partition.ts";

/** A store of one number: `set` puts it there, `get` must give it. */
interface Event extends Spanned {
  readonly does: "set" | "get";
  readonly value: number;
}

class Store implements Player<Event> {
  #value: number | undefined;

  /** @param value where it is known what is there at first */
  constructor(value?: number) {
    this.#value = value;
  }

  play({ does, value }: Event): Contradiction | undefined {
    const known = this.#value;
    this.#value = value;
    if (does === "set" || known === undefined || known === value) return undefined;
    this.#value = known;
    const [expected, got] = [String(known), String(value)];
    return { rules: ["STORE-1"], expected, got, differences: [{ path: "value", expected, got }] };
  }
}

const event = (does: Event["does"], value: number, beginsMs: number, endsMs = beginsMs): Event => ({
  does,
  value,
  beginsMs,
  endsMs,
});

function audited(events: readonly Event[], whole = true) {
  const findings: PartitionFinding<Event>[] = [];
  const partition = new Partition<Event>(
    {
      effort: new Effort(),
      newPlayer: (sees) => (sees ? new Store(0) : new Store()),
      matters: () => true,
      isAbout: () => true,
      found: (finding) => findings.push(finding),
      unclear: () => assert.fail("too many"),
    },
    whole,
  );
  for (const one of events) partition.add(one);
  partition.settle();
  return findings.map(({ event: { value }, because, byAbsence }) => ({
    value,
    because: because.map((one) => `${one.does} ${one.value}`),
    byAbsence,
  }));
}

describe("a partition", () => {
  test("finds what contradicts the rest, and tells the fewest that show it", () => {
    const events = [event("set", 1, 10), event("get", 1, 20), event("set", 2, 30), event("get", 1, 40)];
    assert.deepEqual(audited(events), [{ value: 1, because: ["set 2", "get 1"], byAbsence: false }]);
  });

  test("knows nothing of what came before, unless nothing is missing", () => {
    const events = [event("get", 5, 10)];
    assert.deepEqual(audited(events, false), []);
    assert.deepEqual(audited(events), [{ value: 5, because: ["get 5"], byAbsence: true }]);
  });

  test("lets what overlaps take place in any order that fits", () => {
    const slow = event("get", 2, 10, 50);
    assert.deepEqual(audited([event("set", 1, 0), slow, event("set", 2, 20, 30)]), []);
    assert.deepEqual(audited([event("set", 1, 0), slow, event("set", 2, 60)]).length, 1);
  });

  test("finds what fits in no order", () => {
    const both = [event("get", 1, 10, 50), event("get", 2, 10, 50), event("get", 3, 10, 50)];
    assert.deepEqual(
      audited([...both, event("set", 1, 10, 50), event("set", 2, 10, 50)]).map(({ value }) => value),
      [3],
    );
  });

  test("goes on after a finding, and knows less from then on", () => {
    const events = [event("get", 7, 0), event("get", 8, 10), event("set", 1, 20), event("get", 2, 30)];
    assert.deepEqual(
      audited(events).map(({ value }) => value),
      [7, 2],
    );
  });
});

test("an order is looked for among all that time allows", () => {
  const [read, write] = [event("get", 3, 0, 10), event("set", 3, 5, 20)];
  const fits = linearization([event("set", 1, -5)], [read, write], () => new Store(), new Effort());
  assert.deepEqual(fits, [write, read]);
  assert.equal(
    linearization([], [event("set", 1, 0), event("get", 2, 1)], () => new Store(), new Effort()),
    "none",
  );
  const many = Array.from({ length: 12 }, (_, index) => event("get", index + 1, 0, 1));
  assert.equal(
    linearization([event("set", 99, -1)], [...many, event("set", 5, 0, 1)], () => new Store(), new Effort()),
    "none",
  );
  const writes = Array.from({ length: 12 }, (_, index) => event("set", index + 1, 0, 1));
  assert.equal(
    linearization([], [...writes, event("get", 99, 0, 1)], () => new Store(), new Effort()),
    "unknown",
  );
});

test("a minimal subset keeps the last, and all that it needs", () => {
  const needs = (events: readonly number[]) => [3, 7].every((number) => events.includes(number));
  assert.deepEqual(minimalSubset([1, 2, 3, 4, 5, 6, 7, 8], needs), [3, 7, 8]);
});

test("of several players one may be right", () => {
  const players = new AnyOf<Event>([new Store(1), new Store(2)]);
  assert.equal(players.play(event("get", 2, 0)), undefined);
  assert.equal(players.play(event("get", 1, 1))?.expected, "2");
});

test("looking for an order takes no more than what has come allows, however much overlaps", () => {
  const writes = Array.from({ length: 40 }, (_, index) => event("set", index, 0, 1));
  const reads = Array.from({ length: 40 }, () => event("get", 99, 0, 1));
  let played = 0;
  let unclear = 0;
  const partition = new Partition<Event>(
    {
      effort: new Effort(),
      newPlayer: () => {
        const store = new Store();
        const play = (one: Event) => {
          played += 1;
          return store.play(one);
        };
        return { play };
      },
      matters: () => true,
      isAbout: () => true,
      found: () => {},
      unclear: () => {
        unclear += 1;
      },
    },
    false,
  );
  for (const one of [...writes, ...reads]) partition.add(one);
  partition.settle();
  assert.ok(played < 60_000, `${played}`);
  assert.ok(unclear > 0);
});
