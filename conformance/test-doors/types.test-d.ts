/** What the compiler must take, and what it must not, of those who make tests of the vectors: compiling this is the test. */
import { defineService } from "../index.ts";
import { conformanceTests as ofJest } from "../jest.cjs";
import { conformanceTests as ofNode } from "../node-test.ts";
import { conformanceTests as ofVitest } from "../vitest.ts";

const service = defineService({
  facts: { metadataHosts: ["a.example", "b.example"] },
  createService: () => ({ handle: () => ({ status: 404, body: {} }) }),
});

export function tests(): void {
  for (const door of [ofNode, ofVitest]) {
    door({ module: "./service.ts", only: ["platform"], seed: "random", runs: 0, maxWait: "5s" });
    door({ service, timeout: 100 });
    door(service);
    door({ ...service, exhaustive: 2 });
    // @ts-expect-error: there is no implementation by default
    door({ only: ["platform"] });
    // @ts-expect-error: a number
    door({ module: "./service.ts", runs: "60" });
    // @ts-expect-error: an option of the command line alone
    door({ module: "./service.ts", bail: true });
  }
  ofJest({ module: new URL("file:///service.ts"), runs: 5 });
  ofJest({ url: "http://127.0.0.1:1", facts: { metadataHosts: ["a.example", "b.example"] } });
  // @ts-expect-error: jest cannot hand a service over
  ofJest({ service });
  // @ts-expect-error: a number
  ofJest({ module: "./service.ts", seed: "7" });
}
