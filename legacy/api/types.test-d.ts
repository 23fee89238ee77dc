/** What the compiler must take, and what it must not, of those who use the kit from code: compiling this is the test. */
import {
  type Config,
  type DefinedHandler,
  defineConfig,
  defineReporter,
  defineService,
  type Fixture,
  type JudgeOptions,
  judge,
  type OpenPoint,
  type Report,
  type Result,
  type Rule,
  reportText,
  type ServiceModule,
  type StatedFacts,
  type Vector,
} from "../index.ts";

/** Whether two types are the same. */
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Takes nothing but a type that is true. */
function holds<_ extends true>(): void {}

const metadataHosts = ["a.example", "b.example"] as const;

export const service = defineService({
  facts: { metadataHosts, "x-team": "mine" },
  capabilities: { concurrency: false },
  createService: ({ now }) => ({
    handle({ method, path, body, bearer, idempotencyKey }) {
      holds<Same<typeof method, string>>();
      holds<Same<typeof bearer, string | undefined>>();
      return { status: 404, body: { code: `${method} ${path}`, body, idempotencyKey, at: now() } };
    },
  }),
});
holds<Same<typeof service.facts.metadataHosts, readonly [string, string]>>();

export const slow = defineService({
  facts: { metadataHosts },
  createService: async () => ({ handle: async () => ({ status: 200, body: null }) }),
});

const handler: DefinedHandler = { handle: () => ({ status: 200, body: {} }) };
// @ts-expect-error: facts are to be stated
defineService({ createService: () => handler });
// @ts-expect-error: two hosts
defineService({ createService: () => handler, facts: { metadataHosts: ["a.example"] } });
// @ts-expect-error: a slip of the pen
defineService({ createService: () => handler, facts: { metadataHosts, operatorkey: "x" } });
// @ts-expect-error: one of two words
defineService({ createService: () => handler, facts: { metadataHosts }, capabilities: { clock: "wall" } });
// @ts-expect-error: an envelope has a status
defineService({ createService: () => ({ handle: () => ({ body: {} }) }), facts: { metadataHosts } });
holds<typeof service extends ServiceModule ? true : false>();
holds<StatedFacts extends { readonly metadataHosts: readonly [string, string] } ? true : false>();

export const reporter = defineReporter(async function* (events) {
  for await (const { type, data } of events) {
    if (type === "test:fail") yield `${data.name}: ${data.details.error?.message ?? ""}\n`;
    // @ts-expect-error: there is no such event
    if (type === "test:failed") yield "";
  }
});
// @ts-expect-error: text is what a reporter gives
defineReporter(async function* () {
  yield 1;
});

export const config = defineConfig({
  targets: {
    default: { module: "./service.ts", baseline: "known.yaml", reporters: ["console", "html=report.html"] },
    server: { url: "http://127.0.0.1:8080", facts: { metadataHosts }, timeout: "2s", seed: "random" },
  },
});
holds<Same<typeof config, Config>>();
// @ts-expect-error: a slip of the pen
defineConfig({ targets: { a: { module: "./service.ts", basline: "known.yaml" } } });
// @ts-expect-error: none of the ways
defineConfig({ targets: { a: { jobs: 2 } } });
// @ts-expect-error: an option of servers
defineConfig({ targets: { a: { module: "./service.ts", controlUrl: "x" } } });
// @ts-expect-error: one way, not two
defineConfig({ targets: { a: { module: "./service.ts", command: "x" } } });
// @ts-expect-error: a file holds no objects of a program
defineConfig({ targets: { a: { service } } });

export async function judged(): Promise<void> {
  const judging = judge({ target: { service }, only: ["platform"], seed: "random", timeout: "2s" });
  for await (const result of judging) {
    holds<Same<typeof result, Result>>();
    holds<Same<typeof result.outcome, "passed" | "failed" | "skipped" | "error">>();
  }
  const report = await judging.report;
  holds<Same<typeof report, Report>>();
  holds<Same<typeof report.verdict, "conforms" | "does-not-conform" | "undecided">>();
  const text = await reportText(report, reporter, { verbose: true });
  holds<Same<typeof text, string | undefined>>();
  // @ts-expect-error: it is looked at, not changed
  report.verdict = "conforms";
}

const wrong: JudgeOptions[] = [
  // @ts-expect-error: there is no target by default
  {},
  // @ts-expect-error: none of the ways
  { target: { modul: "./service.ts" } },
  // @ts-expect-error: an option of servers
  { target: { command: "x", controlUrl: "y" } },
  // @ts-expect-error: a number
  { target: { service }, runs: "60" },
  // @ts-expect-error: no option
  { target: { service }, onResult: () => {} },
];

export type Kept = [
  typeof wrong,
  Rule["level"] extends "required" | "open" | "advice" ? Vector["id"] : never,
  OpenPoint["readings"][number]["id"],
  Fixture["steps"][number]["kind"],
];
