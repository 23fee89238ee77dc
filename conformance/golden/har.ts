import { harForm } from "../audit/write-recording.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { Fields, RecordedExchange, RecordedRestart } from "../engine/audit/recorded.ts";
import { kitVersion } from "../paths.ts";
import type { ExchangeStep, Fixture, HttpHeader } from "./fixture.ts";
import type { GoldenFolder } from "./golden-files.ts";
import { serviceRequest } from "./requests.ts";

/** The contract has no base URL, and HAR wants one: a name that never resolves (RFC 2606, section 2). */
const NOWHERE = "http://launch-draft.invalid";

/**
 * Fixtures as HAR 1.2, for browsers' and proxies' tools: a page for each fixture, an entry for each exchange.
 * @param baseUrl what stands before each request's path, without a slash at its end
 */
export function harText({ index, fixtures }: GoldenFolder, baseUrl = NOWHERE): string {
  const { name, version } = index.implementation;
  const complete = index.clock === "virtual";
  const creator = { name: "launch-draft-conformance", version: kitVersion() };
  const form = harForm(
    { complete, facts: { ...index.facts }, contract: CONTRACT_ID, creator, baseUrl },
    {
      pages: fixtures.map(({ name: id, title, steps }) => ({
        id,
        title,
        startedDateTime: new Date(steps[0]?.nowMs ?? 0).toISOString(),
        pageTimings: {},
      })),
      comment: `Golden fixtures ${index.version}, as ${name} ${version} answered them. Times are those of its test clock.`,
    },
  );
  const entries = fixtures.flatMap((fixture) =>
    exchangesIn(fixture, complete).map(({ exchange, after, step }) =>
      form.exchange(exchange, after, { pageref: fixture.name, comment: `step ${step}` }),
    ),
  );
  return form.begin + entries.join(form.between) + form.end;
}

/** Each fixture as a HAR of its own, by its file's name: what answers from a HAR takes the first entry that fits. */
export function harFiles(golden: GoldenFolder, baseUrl?: string): ReadonlyMap<string, string> {
  return new Map(
    golden.fixtures.map((fixture) => [
      `${fixture.name}.har`,
      harText({ ...golden, fixtures: [fixture] }, baseUrl),
    ]),
  );
}

/** A step of a fixture as it would have been recorded, and the restart before it. */
interface RecordedStep {
  readonly step: number;
  readonly exchange: RecordedExchange;
  readonly after?: RecordedRestart;
}

/** Each fixture is of a service of its own, which `audit` is told where the clock is the service's. */
function exchangesIn({ name, steps }: Fixture, onTestClock: boolean): readonly RecordedStep[] {
  const recorded: RecordedStep[] = [];
  let started: number | undefined = steps[0]?.nowMs;
  for (const step of steps) {
    if (step.kind === "restart") started = step.nowMs;
    if (step.kind !== "exchange") continue;
    const source = { file: name, line: step.step };
    // On a clock that stands still a microsecond tells what came first.
    const at = (clockMs: number) => ({
      source,
      startedMs: clockMs + recorded.length / 1000,
      ...(onTestClock ? { clockMs } : {}),
    });
    const exchange = recordedOf(step, at(step.nowMs));
    const isFirst = onTestClock && started !== undefined;
    recorded.push({
      step: step.step,
      exchange,
      ...(isFirst ? { after: { kind: "restart", ...at(started ?? 0) } } : {}),
    });
    started = undefined;
  }
  return recorded;
}

function recordedOf(
  { request, http }: ExchangeStep,
  at: Pick<RecordedExchange, "source" | "startedMs" | "clockMs">,
): RecordedExchange {
  const { status, headers, body } = http.response;
  return {
    kind: "exchange",
    ...at,
    endedMs: at.startedMs,
    request: { ...serviceRequest(request), path: http.request.path },
    headers: fieldsOf(http.request.headers),
    credentials: request.bearer === undefined ? "none" : "bearer",
    response: { status, headers: fieldsOf(headers), body },
  };
}

function fieldsOf(headers: readonly HttpHeader[]): Fields {
  return headers.map(({ name, value }) => [name, value]);
}
