import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfShard, parseShard, stretchOf } from "./shard.ts";

test("I/N is read, I from 1 to N", () => {
  assert.deepEqual(parseShard("2/3"), { index: 2, of: 3 });
  assert.deepEqual(parseShard("1/1"), { index: 1, of: 1 });
  for (const text of ["0/3", "4/3", "1/0", "1", "1/2/3", " 1/2", "1/1000", "-1/2", "01/2", ""])
    assert.equal(parseShard(text), undefined, text);
});

for (const of of [1, 2, 3, 7]) {
  const shards = Array.from({ length: of }, (_, place) => ({ index: place + 1, of }));

  test(`${of} shards share out every item, each once, and evenly`, () => {
    const items = Array.from({ length: 20 }, (_, place) => place);
    const shares = shards.map((shard) => items.filter((place) => isOfShard(place, shard)));
    assert.deepEqual(
      shares.flat().sort((a, b) => a - b),
      items,
    );
    const sizes = shares.map(({ length }) => length);
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
  });

  test(`the stretches of ${of} shards follow on each other to the end`, () => {
    for (const count of [0, 1, 5, 100]) {
      let next = 0;
      for (const shard of shards) {
        const stretch = stretchOf(count, shard);
        assert.equal(stretch.from, next);
        next += stretch.count;
      }
      assert.equal(next, count);
    }
  });
}
