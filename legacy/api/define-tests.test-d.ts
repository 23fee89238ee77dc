/** What the compiler must take, and what it must not, of those who make tests of the vectors: compiling this is the test. */
import { describe, it } from "node:test";
import { defineService, defineTests, type TestsOptions } from "../index.ts";
import { conformanceTests } from "../node-test.ts";

const service = defineService({
  facts: { metadataHosts: ["a.example", "b.example"] },
  createService: () => ({ handle: () => ({ status: 404, body: {} }) }),
});

/** Functions as other test runners declare them. */
interface Vitest {
  describe(name: string, define?: () => void): void;
  it(name: string, run?: (context: { skip(note?: string): never }) => unknown, options?: number): void;
}
interface Jest {
  describe(name: number | string, define: () => void): void;
  it(name: string, run?: ((done: () => void) => void) | (() => Promise<unknown>), timeout?: number): void;
}
interface Mocha {
  describe(title: string, define: (this: object) => void): object;
  it(title: string, run?: (this: { skip(): never }) => PromiseLike<unknown>): object;
}

export function tests(vitest: Vitest, jest: Jest, mocha: Mocha): void {
  const ways = [
    conformanceTests,
    (options: TestsOptions) => defineTests({ describe, it }, options),
    ...[vitest, jest, mocha].map((runner) => (options: TestsOptions) => defineTests(runner, options)),
  ];
  for (const way of ways) {
    way({ module: "./service.ts", only: ["platform"], seed: "random", runs: 0, maxWait: "5s" });
    way({ url: "http://127.0.0.1:1", facts: { metadataHosts: ["a.example", "b.example"] } });
    way({ service, timeout: 100 });
    way(service);
    way({ ...service, exhaustive: 2 });
    // @ts-expect-error: there is no implementation by default
    way({ only: ["platform"] });
    // @ts-expect-error: a number
    way({ module: "./service.ts", runs: "60" });
    // @ts-expect-error: an option of the command line alone
    way({ module: "./service.ts", bail: true });
  }
  // @ts-expect-error: both functions are needed
  defineTests({ describe }, { service });
}
