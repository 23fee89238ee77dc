import assert from "node:assert/strict";
import { Transform, type TransformCallback } from "node:stream";
import { test } from "node:test";
import { eventReport, REPORTER_LIMIT_MS, type TestEvent } from "./event-report.ts";

const EVENTS: readonly TestEvent[] = [
  { type: "test:plan", data: { nesting: 0, count: 2 } },
  { type: "test:plan", data: { nesting: 1, count: 3 } },
];
const countOf = ({ data }: TestEvent) => ("count" in data ? `${data.count};` : "");

class Counting extends Transform {
  constructor() {
    super({ writableObjectMode: true });
  }

  override _transform(event: TestEvent, _: BufferEncoding, done: TransformCallback): void {
    done(null, countOf(event));
  }
}

async function* counting(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) yield countOf(event);
}

for (const [kind, reporter] of [
  ["a generator function", counting],
  ["a transform stream", new Counting()],
  ["a class of transform streams", Counting],
  // As node:test gives its own `spec`.
  [
    "a function that constructs one",
    function make() {
      return Reflect.construct(Counting, []);
    },
  ],
] as const) {
  test(`a reporter may be ${kind}`, async () => {
    assert.equal(await eventReport(reporter, EVENTS, false), "2;3;");
  });
}

test("colours stay only where they are wanted, whatever the reporter thinks of the terminal", async () => {
  async function* red() {
    yield "\u001b[31mred\u001b[";
    yield "39m";
  }
  assert.equal(await eventReport(red, EVENTS, true), "\u001b[31mred\u001b[39m");
  assert.equal(await eventReport(red, EVENTS, false), "red");
});

test("what a reporter throws comes through", async () => {
  // biome-ignore lint/correctness/useYield: it throws before it comes to that
  async function* broken(): AsyncGenerator<string> {
    throw new RangeError("no such colour");
  }
  await assert.rejects(eventReport(broken, EVENTS, false), new RangeError("no such colour"));
});

test("a reporter that never ends is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  async function* stuck(): AsyncGenerator<string> {
    yield "so far";
    await new Promise(() => {});
  }
  const report = eventReport(stuck, EVENTS, false);
  context.mock.timers.tick(REPORTER_LIMIT_MS);
  await assert.rejects(report, new Error("it did not finish within 10 s"));
});
