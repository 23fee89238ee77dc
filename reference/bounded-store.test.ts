import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { BoundedStore } from "./bounded-store.ts";

describe("bounded store", () => {
  it("holds an entry until the instant it expires", () => {
    const store = new BoundedStore<string>({ capacity: 2, lifetimeMs: 100 });
    assert.equal(store.add("a", "value", 1000)?.expiresAt, 1100);
    assert.equal(store.find("a", 1099)?.value, "value");
    assert.equal(store.find("a", 1100), undefined);
  });

  it("returns a taken entry only to the first caller", () => {
    const store = new BoundedStore<string>({ capacity: 2, lifetimeMs: 100 });
    store.add("a", "value", 0);
    assert.equal(store.take("a", 1)?.value, "value");
    assert.equal(store.take("a", 1), undefined);
    assert.equal(store.size, 0);
  });

  it("is full while all entries are valid, and replaces the oldest entry after its expiry", () => {
    const store = new BoundedStore<string>({ capacity: 2, lifetimeMs: 100 });
    store.add("a", "first", 0);
    store.add("b", "second", 50);
    assert.equal(store.hasRoom("c", 99), false);
    assert.equal(store.add("c", "third", 99), undefined);
    assert.equal(store.find("a", 99)?.value, "first");
    assert.equal(store.hasRoom("c", 100), true);
    assert.equal(store.add("c", "third", 100)?.value, "third");
    assert.equal(store.add("d", "fourth", 100), undefined);
    assert.equal(store.find("b", 100)?.value, "second");
  });

  it("replaces the value of a key in a full store, with a new lifetime", () => {
    const store = new BoundedStore<string>({ capacity: 1, lifetimeMs: 100 });
    store.add("a", "old", 0);
    assert.equal(store.add("a", "new", 60)?.expiresAt, 160);
    assert.equal(store.find("a", 150)?.value, "new");
    assert.equal(store.size, 1);
  });

  it("treats an entry with a replaced value as the newest", () => {
    const store = new BoundedStore<string>({ capacity: 2, lifetimeMs: 100 });
    store.add("a", "old", 0);
    store.add("b", "second", 50);
    store.add("a", "new", 60);
    assert.equal(store.add("c", "third", 150)?.value, "third");
    assert.equal(store.find("a", 150)?.value, "new");
  });

  it("keeps an expired entry for `rememberedMs`, unless a new entry replaces it", () => {
    const store = new BoundedStore<string>({ capacity: 2, lifetimeMs: 100, rememberedMs: 1000 });
    store.add("a", "first", 0);
    store.add("b", "second", 0);
    assert.equal(store.find("a", 1099)?.expiresAt, 100);
    assert.equal(store.find("a", 1100), undefined);
    assert.equal(store.add("c", "third", 100)?.value, "third");
    assert.equal(store.find("a", 100), undefined, "the oldest went");
    assert.equal(store.find("b", 100)?.value, "second", "no more went than was needed");
  });

  it("stores nothing if the capacity is 0", () => {
    assert.equal(new BoundedStore({ capacity: 0, lifetimeMs: 100 }).add("a", 1, 0), undefined);
  });

  it("never exceeds its capacity and never loses a valid entry, even if the clock goes back", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      elapsed: fc.constantFrom(0, 1, 40, 99, 100, 101, -50),
      take: fc.boolean(),
    });
    let held = 0;
    const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = new BoundedStore<number>({ capacity: 3, lifetimeMs: 100 });
      const model = new Map<string, { value: number; expiresAt: number }>();
      let now = 1000;
      steps.forEach(({ key, elapsed, take }, value) => {
        now += elapsed;
        if (take) {
          store.take(key, now);
          model.delete(key);
        } else if (store.add(key, value, now) !== undefined) {
          model.set(key, { value, expiresAt: now + 100 });
        }
        assert.ok(store.size <= 3);
      });
      const latest = steps.reduce(
        ({ clock, most }, { elapsed }) => ({ clock: clock + elapsed, most: Math.max(most, clock + elapsed) }),
        { clock: 1000, most: 1000 },
      ).most;
      for (const [key, entry] of model) {
        if (latest >= entry.expiresAt) continue;
        assert.equal(store.find(key, now)?.value, entry.value);
        held += 1;
      }
    });
    fc.assert(property, { seed: 1, numRuns: 500 });
    assert.ok(held > 300, `${held} entries were to be held`);
  });
});
