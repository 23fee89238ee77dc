/**
 * Tests implementations of the Offline Launch-Draft Partner Service contract (`partner-preview-1`) from code.
 */
import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Adapter, Capabilities, Facts } from "./adapters/adapter.ts";
import { openServer } from "./adapters/http.ts";
import { InProcessAdapter, type ServiceModule } from "./adapters/in-process.ts";
import { DEFAULT_OPTIONS, MACHINE_CLOCK } from "./adapters/protocol.ts";
import { openProgram } from "./adapters/stdio.ts";
import { MAX_DURATION_MS, withTimeLimit } from "./adapters/time-limit.ts";
import { SERVED_CONTRACT } from "./contract/constants.ts";
import { type Contract, readServiceContract } from "./contract/contract.ts";
import { memberNamesOfProbe } from "./contract/response-schemas.ts";
import { isObject, show } from "./data/json.ts";
import { readVersion } from "./data/kit-files.ts";
import { unknown } from "./data/schema-check.ts";
import { escapeLine } from "./data/text.ts";
import type { Result } from "./play/result.ts";
import { PROPERTIES } from "./properties/index.ts";
import { type ReportContext, type ReportData, toData, toResultData } from "./report/data.ts";
import { failureLines } from "./report/failure.ts";
import { type Failure, type FailureGroup, groupFailures, mainFailure } from "./report/groups.ts";
import { reasonForOneConnection } from "./run/connections.ts";
import { selectVectors } from "./run/plan.ts";
import { DEFAULT_RUNS, type Report, type RunOptions, run, type ServiceTest } from "./run/run.ts";
import { loadKitVectors } from "./suite/load.ts";

export { ImplementationError } from "./adapters/adapter.ts";
export { DataError } from "./data/data-file.ts";
/** The finished report of a run, as `--reporter json` writes it. */
export type { ReportData as Report } from "./report/data.ts";

/** One call of a service (contract, "What the service does"). */
export interface ServiceCall {
  readonly method: string;
  readonly path: string;
  /** Exact text of the body, or its bytes if they are not valid UTF-8. */
  readonly body: string | Uint8Array | undefined;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The response to a call. */
export interface ServiceEnvelope {
  readonly status: number;
  /** A JSON value. */
  readonly body: unknown;
}

/** A running service. */
export interface ServiceHandler {
  handle(call: ServiceCall): ServiceEnvelope | Promise<ServiceEnvelope>;
}

/** An implementation in JavaScript or TypeScript: the exports of a module, or an object. */
export interface ServiceDefinition {
  /**
   * Creates a service with empty state.
   * @param options `now` returns the current time, in ms since the Unix epoch. The service must use no other
   *   clock.
   */
  createService(options: { readonly now: () => number }): ServiceHandler | Promise<ServiceHandler>;
  /** Values that tests cannot observe. `metadataHosts` is required. */
  readonly facts: Pick<Facts, "metadataHosts"> & Partial<Facts>;
  /** Abilities that tests use, such as a virtual clock (default: all). */
  readonly capabilities?: Partial<Capabilities>;
  readonly implementation?: { readonly name: string; readonly version: string; readonly language?: string };
  /** Returns the bytes that a client signs for a message. Required if `facts.signedBytes` is `adapter`. */
  bytesToSign?(message: string): Uint8Array | Promise<Uint8Array>;
}

/** An implementation: an object in this process, a file, a command line, or a URL. */
export type ServiceTarget =
  | ServiceDefinition
  /** A file that exports `createService`. It runs in a separate process. */
  | { readonly module: string | URL; readonly env?: readonly string[] }
  /** A command line of a program that speaks the adapter protocol on standard input and output. */
  | { readonly command: string; readonly env?: readonly string[] }
  /** Base URL of a server, and either its control URL for the adapter protocol or its facts. */
  | { readonly url: string; readonly controlUrl?: string; readonly facts?: ServiceDefinition["facts"] };

/** Which tests run, and how. */
export interface JudgeOptions {
  /** Globs of test IDs (default: all tests). A selection gives no verdict. */
  readonly only?: readonly string[];
  /** Seed of all keys (default: 1; random for a server that cannot restart). */
  readonly seed?: number;
  /** Whether the first failure, violation, or error ends the run. */
  readonly bail?: boolean;
  /** Number of processes, or of parallel requests to a URL (default: 1; 4 for a URL). */
  readonly jobs?: number;
  /** Approximate number of random cases of each property; 0 for none (default: 50). */
  readonly runs?: number;
  /** Part of the tests: `2/3` is the second of three parts. */
  readonly shard?: string;
  /** Time limit of a request, in ms; 0 for none (default: 5,000). */
  readonly timeoutMs?: number;
  /** Longest wait on a real clock, in ms (default: 90,000). Tests that wait longer are skipped. */
  readonly maxWaitMs?: number;
  /** Time limit of the run, in ms; 0 for none (default: two hours). The report has the results so far. */
  readonly maxDurationMs?: number;
  /** Ends the run. The report then has the results so far. */
  readonly signal?: AbortSignal;
}

/** Form of an option or of a member of a target: what the value must be, and a check. */
type Form = readonly [expected: string, isValid: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isShard = (value: unknown) => {
  const [index = 0, count = 0] = /^\d{1,5}\/\d{1,5}$/.test(String(value))
    ? String(value).split("/").map(Number)
    : [];
  return index >= 1 && index <= count;
};

function integer(least: number, most: number, expected: string): Form {
  return [expected, (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most];
}

/** The maximum is less than the longest delay of a timer. */
const DURATION = integer(0, 2_100_000_000, "an integer of ms from 0 to 2100000000");
const COUNT = integer(0, 9_999_999_999, "an integer of 0 or more");
const HTTP_URL: Form = [
  "an http or https URL, such as http://127.0.0.1:8080",
  (value) => URL.canParse(String(value)) && /^https?:/i.test(String(value)),
];

const OPTION_FORMS: Readonly<Record<keyof JudgeOptions, Form>> = {
  only: ['a list of globs, such as ["session/**"]', isListOfTexts],
  seed: COUNT,
  bail: ["true or false", (value) => typeof value === "boolean"],
  jobs: integer(1, 64, "an integer from 1 to 64"),
  runs: COUNT,
  shard: ["I/N, such as 1/4, with I from 1 to N", isShard],
  timeoutMs: DURATION,
  maxWaitMs: DURATION,
  maxDurationMs: DURATION,
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
};
const TARGET_FORMS: Readonly<Record<string, Form>> = {
  createService: ["a function", (value) => typeof value === "function"],
  module: ["a path or a file URL", (value) => value instanceof URL || isText(value)],
  command: ['a command, such as "python3 service.py"', isText],
  url: HTTP_URL,
  controlUrl: HTTP_URL,
  env: ["a list of names of variables", isListOfTexts],
  facts: ["an object", isObject],
};
const TARGET_NAMES = ["createService", "module", "command", "url"] as const;
/** Default number of connections to a server at a URL. */
const JOBS_OF_URL = 4;

/**
 * Tests a service. Prints nothing, and does not end the process.
 * @returns the report, which includes the verdict
 * @throws {TypeError} if an option is unknown or wrong, or the target does not name one implementation
 * @throws {DataError} if a glob matches no test
 * @throws {ImplementationError} if the service cannot be reached, or its info is invalid
 */
export async function judge(service: ServiceTarget, options: JudgeOptions = {}): Promise<ReportData> {
  checkArguments(service, options);
  const contract = readServiceContract();
  const report = await runOn(service, options, contract, () => {});
  return toData(report, contextOf(contract, service));
}

/** `describe` and `it` of a test runner: node:test, vitest, jest, or mocha. */
export interface TestFunctions {
  describe(name: string, define: () => void): unknown;
  it(name: string, test: (this: unknown, ...given: unknown[]) => Promise<void>, timeoutMs: number): unknown;
}

/**
 * Defines one test of the test runner for each test of the kit, in one suite for each suite file. The first
 * test starts a run, and each test waits for its own result. The error of a failed test describes the failure
 * on one screen. Tests that need a capability that the service lacks are skipped with the reason. The last
 * test fails if a rule is violated only in tests of other rules.
 * @param service the implementation
 * @param options `only` selects tests. The filter of a test runner selects only the results to show.
 * @throws {TypeError} if an option is unknown or wrong, or the target does not name one implementation
 * @throws {DataError} if a glob matches no test
 */
export function defineTests(
  { describe, it }: TestFunctions,
  service: ServiceTarget,
  options: JudgeOptions = {},
): void {
  checkArguments(service, options);
  const contract = readServiceContract();
  const selected = selectVectors(loadTests(contract, options), selectionOf(options));
  const context = contextOf(contract, service);
  const results = new Map(selected.map(({ id }) => [id, new Deferred<Result>()]));
  let running: Promise<Report> | undefined;
  const start = () => {
    running ??= runOn(service, options, contract, (result) => results.get(result.vector.id)?.resolve(result));
    return running;
  };
  let hasFailed = false;
  const define = (name: string, test: (skip: (reason: string) => void) => Promise<void>) => {
    // A test function that declares parameters would get a callback from the test runner.
    async function play(this: unknown, ...[given]: unknown[]) {
      const context = (given ?? this ?? {}) as { skip?(reason: string): void; timeout?(ms: number): void };
      context.timeout?.(0);
      // biome-ignore lint/suspicious/noConsole: jest cannot skip a test that runs
      const skip = (why: string) => (context.skip ? context.skip(why) : console.warn(`${name}: ${why}`));
      if (hasFailed) return skip("not run: the run failed");
      start().catch(() => {
        hasFailed = true;
      });
      await test(skip);
    }
    it(name, play, MAX_TIMEOUT_MS);
  };
  const suiteOf = (id: string) => id.split("/", 1)[0] ?? "";
  describe(SERVED_CONTRACT.version, () => {
    for (const suite of new Set(selected.map(({ id }) => suiteOf(id))))
      describe(suite, () => {
        for (const { id } of selected.filter((vector) => suiteOf(vector.id) === suite))
          define(id, async (skip) => {
            const result = await results.get(id)?.of(start());
            const failure = result && mainFailure(toResultData(result, context));
            if (failure !== undefined) throw screenError(failure, context);
            if (result?.outcome !== "passed") skip(result?.reason ?? "not run: the run ended early");
          });
      });
    // Mocha and jest run the tests of a suite before its nested suites.
    describe("all", () =>
      define("no rule is violated in a test of other rules", async () => {
        const groups = groupFailures(toData(await start(), context));
        const other = groups.find(({ first }) => first.finding?.incidental);
        if (other !== undefined) throw screenError(other.first, context, other);
      }));
  });
}

/** Time limit of a test, in ms: the maximum delay of a timer. The kit has a time limit for each request. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A value that becomes available during a run. */
class Deferred<Value> {
  resolve: (value: Value) => void = () => {};
  readonly #promise = new Promise<Value>((resolve) => {
    this.resolve = resolve;
  });

  /** Resolves to the value, or to undefined if the run ends without it. @throws if the run fails */
  of(run: Promise<unknown>): Promise<Value | undefined> {
    return Promise.race([this.#promise, run.then(() => undefined)]);
  }
}

function contextOf(contract: Contract, service: ServiceTarget): ReportContext & { readonly command: string } {
  const [name = "module"] = TARGET_NAMES.slice(1).filter((one) => one in service);
  const value = (service as Readonly<Record<string, unknown>>)[name] ?? "FILE";
  const command = `npx launch-draft-conformance run --${name} ${JSON.stringify(String(value))}`;
  return { kit: readVersion(), contract, command };
}

const SCREEN_WIDTH = 100;

/** Returns an error that describes a failure. Its stack names the vector instead of frames of the kit. */
function screenError(
  failure: Failure,
  { contract, command }: ReturnType<typeof contextOf>,
  group?: FailureGroup,
): Error {
  const context = { rules: [...contract.rules.values()], run: { command } };
  const lines = failureLines(failure, context, SCREEN_WIDTH, group);
  const { id, place } = failure.result;
  const error = new Error(`\n${lines.map(escapeLine).join("\n")}`);
  // Test runners show these members as a difference.
  const { expected, got } = failure.finding ?? {};
  if (expected !== undefined) Object.assign(error, { expected, actual: got });
  error.stack = `${error.message}\n    at ${id} (${resolve(place)}:1)`;
  return error;
}

/** @throws {TypeError} */
function checkArguments(service: ServiceTarget, options: JudgeOptions): void {
  for (const [name, value] of Object.entries({ service, options }))
    if (!isObject(value)) throw new TypeError(`${name} must be an object, got ${show(value)}`);
  const given = TARGET_NAMES.filter((name) => name in service);
  if (given.length !== 1)
    throw new TypeError(
      `the service must have exactly one of ${TARGET_NAMES.join(", ")}, got ${given.join(" and ") || "none"}`,
    );
  for (const name of Object.keys(options))
    if (!Object.hasOwn(OPTION_FORMS, name))
      throw new TypeError(unknown("option", name, Object.keys(OPTION_FORMS)));
  checkForms(service, TARGET_FORMS);
  checkForms(options, OPTION_FORMS);
  if ("url" in service && service.controlUrl === undefined && service.facts?.metadataHosts === undefined)
    throw new TypeError(
      'url requires controlUrl or facts, such as facts: { metadataHosts: ["a.example", "b.example"] }',
    );
}

/** @throws {TypeError} if a member does not have its form */
function checkForms(values: object, forms: Readonly<Record<string, Form>>): void {
  for (const [name, value] of Object.entries(values)) {
    const [expected, isValid] = forms[name] ?? [];
    if (value !== undefined && isValid?.(value) === false)
      throw new TypeError(`${name} must be ${expected}, got ${show(value)}`);
  }
}

function loadTests(contract: Contract, { runs = DEFAULT_RUNS }: JudgeOptions): readonly ServiceTest[] {
  const vectors = loadKitVectors(contract);
  return runs > 0 ? [...vectors, ...PROPERTIES] : vectors;
}

function selectionOf({ only, shard }: JudgeOptions): NonNullable<RunOptions["selection"]> {
  const [index = 1, count = 1] = shard?.split("/").map(Number) ?? [];
  return { ...(only && { only }), ...(shard !== undefined && { shard: { index, count } }) };
}

async function runOn(
  service: ServiceTarget,
  options: JudgeOptions,
  contract: Contract,
  onResult: (result: Result) => void,
): Promise<Report> {
  const { bail = false, jobs, runs = DEFAULT_RUNS, maxWaitMs = DEFAULT_OPTIONS.maxWaitMs } = options;
  const selection = selectionOf(options);
  const adapter = await openAdapter(service, options);
  try {
    const isKept = !adapter.hasSeparateServices && !adapter.info.capabilities.restart;
    const canShare = reasonForOneConnection(adapter) === undefined;
    const play = (signal: AbortSignal) =>
      run(contract, loadTests(contract, options), adapter, {
        selection,
        seed: options.seed ?? (isKept ? randomInt(1, 2 ** 31) : 1),
        jobs: canShare ? (jobs ?? ("url" in service ? JOBS_OF_URL : 1)) : 1,
        maxWaitMs,
        runs,
        bail,
        signal,
        onResult,
        nextTurn: () => setImmediate(undefined),
        now: MACHINE_CLOCK.now,
      });
    return await withTimeLimit(options.maxDurationMs ?? MAX_DURATION_MS, options.signal, play);
  } finally {
    await adapter.close();
  }
}

/** @throws {ImplementationError} */
async function openAdapter(service: ServiceTarget, options: JudgeOptions): Promise<Adapter> {
  const { timeoutMs = DEFAULT_OPTIONS.timeoutMs, maxWaitMs = DEFAULT_OPTIONS.maxWaitMs } = options;
  const shared = { contract: SERVED_CONTRACT, clock: MACHINE_CLOCK, timeoutMs, maxWaitMs };
  if ("createService" in service) return new InProcessAdapter(service as ServiceModule, "the service");
  if ("module" in service) {
    const { module, env } = service;
    const isUrl = module instanceof URL || module.startsWith("file:");
    return openProgram({ ...shared, env, module: isUrl ? fileURLToPath(module) : resolve(module) });
  }
  return "command" in service
    ? openProgram({ ...shared, ...service })
    : openServer({ ...shared, ...service, members: memberNamesOfProbe() });
}
