import type { Adapter, Connection, ImplementationInfo } from "../adapters/adapter.ts";
import { responseSchemas } from "../contract/judge/response-schemas.ts";
import { LIFETIME_MS, operationOf } from "../contract/operations.ts";
import type { Contract, Stage } from "../engine/contract.ts";
import { type SceneClock, virtualClock, wallClock } from "../engine/play/clock.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { nextStart, startTime } from "../engine/play/start-times.ts";
import { plan } from "../engine/run/plan.ts";
import { type Salt, setStage } from "../engine/run/stage.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { exchangesOf, type Fixture, type Omission } from "./fixture.ts";
import { jsonDifferences } from "./json-differences.ts";
import { matchersFor } from "./matchers.ts";
import { nameOf, type Recording, recordFlow } from "./record.ts";

/** What the recording of an implementation needs. */
export interface RecordOptions {
  readonly contract: Contract;
  readonly flows: readonly Vector[];
  readonly adapter: Adapter;
  readonly time: RealTime;
  /** Whether two recordings are known to be the same, so that one is enough. */
  readonly deterministic: boolean;
  /** Counts where the service may remember earlier recordings. */
  readonly salt?: Salt;
}

/** Everything that was recorded of one implementation. */
export interface GoldenSet {
  readonly info: ImplementationInfo;
  readonly fixtures: readonly Fixture[];
  /** Flows that this implementation cannot be led through. */
  readonly omitted: readonly Omission[];
  /** Flows in which an answer broke the contract. */
  readonly broken: readonly Omission[];
}

/** After so long nothing of an earlier flow is alive. */
const LONGEST_LIFETIME_MS = LIFETIME_MS.session + 60_000;
/** The demo keys are derived from it. */
const SEED = 1;

/**
 * Leads an implementation through every flow, twice where it can be restarted: what differs between the two times is
 * marked as different in every run. Where it cannot, everything may be.
 * @throws {AdapterFault} where the implementation cannot be reached, or breaks
 */
export async function recordSet(options: RecordOptions): Promise<GoldenSet> {
  const { adapter, time } = options;
  const connection = await adapter.connect(options.contract);
  try {
    const { info } = connection;
    const stage = setStage(info, { ...options, seed: SEED });
    const startMs = info.capabilities.clock === "virtual" ? startTime("between-seconds", SEED) : time.now();
    await connection.start(startMs);
    // No flow is led twice, so all that one may depend on is measured before.
    const nowMs = await stage.measured.measure("capacity", connection, startMs);
    const recordings = await recordOnce(options, stage, connection, nowMs);
    const again = options.deterministic
      ? recordings
      : info.capabilities.restart
        ? await recordOnce(options, stage, connection, nowMs)
        : undefined;
    const fixtures = recordings.flatMap((recording) => ("fixture" in recording ? [recording.fixture] : []));
    const differed = again === undefined ? () => true : differencesOf(fixtures, again);
    const left = recordings.flatMap((recording) => ("reason" in recording ? [recording] : []));
    const omission = ({ name, reason }: Omission): Omission => ({ name, reason });
    return {
      info,
      fixtures: fixtures.map((fixture) => withMatchers(fixture, differed)),
      omitted: left.filter(({ broken }) => !broken).map(omission),
      broken: left.filter(({ broken }) => broken).map(omission),
    };
  } finally {
    await connection.close();
  }
}

async function recordOnce(
  { flows, time }: RecordOptions,
  stage: Stage,
  connection: Connection,
  nowMs: number,
): Promise<readonly Recording[]> {
  const clocks = clockSource(connection, nowMs, time);
  const recordings: Recording[] = [];
  for (const { vector, skip: lack } of plan(flows, connection.info, Number.POSITIVE_INFINITY)) {
    const skip = lack?.reason ?? reasonNotToWait(vector, connection.info);
    if (skip === undefined)
      recordings.push(await recordFlow(vector, stage, connection, await clocks(vector)));
    else recordings.push({ name: nameOf(vector), reason: skip, broken: false });
  }
  return recordings;
}

/** On a clock that nobody can move, no fixture is worth the wait. */
function reasonNotToWait({ totalWaitMs }: Vector, { capabilities }: ImplementationInfo): string | undefined {
  if (capabilities.clock === "virtual" || totalWaitMs === 0) return undefined;
  return `takes ${totalWaitMs / 1000} s on a clock that cannot be moved (capability clock: virtual)`;
}

/** Gives each flow a clock, on a service of its own or, where there is but one, when everything earlier has expired. */
function clockSource(
  connection: Connection,
  readingMs: number,
  time: RealTime,
): (flow: Vector) => Promise<SceneClock> {
  const { clock, restart } = connection.info.capabilities;
  const shared = virtualClock(connection, readingMs);
  return async (flow) => {
    const startMs = clock === "virtual" ? startTime(flow.clock, SEED) : time.now();
    if (restart) await connection.start(startMs);
    if (clock === "real") return wallClock(time);
    if (restart) return virtualClock(connection, startMs);
    const over = shared.now() + LONGEST_LIFETIME_MS;
    await shared.pass((nextStart(flow.clock, over) ?? over) - shared.now());
    return shared;
  };
}

/** Whether a member of an operation's answers was another one in the second recording, wherever that was. */
function differencesOf(
  fixtures: readonly Fixture[],
  again: readonly Recording[],
): (operation: string, pointer: string) => boolean {
  const seen = new Set<string>();
  const second = new Map(again.flatMap((one) => ("fixture" in one ? [[one.fixture.name, one.fixture]] : [])));
  for (const fixture of fixtures) {
    const other = second.get(fixture.name);
    for (const [index, { request, response }] of exchangesOf(fixture).entries()) {
      const body = other === undefined ? undefined : exchangesOf(other)[index]?.response.body;
      for (const { pointer } of jsonDifferences(response.body, body)) {
        seen.add(`${operationOf(request.method, request.path)} ${pointer}`);
      }
    }
  }
  return (operation, pointer) =>
    [...seen].some((place) => `${place}/`.startsWith(`${operation} ${pointer}/`));
}

function withMatchers(fixture: Fixture, differed: (operation: string, pointer: string) => boolean): Fixture {
  const steps = fixture.steps.map((step) => {
    if (step.kind !== "exchange") return step;
    const operation = operationOf(step.request.method, step.request.path);
    const matchers = matchersFor(operation, step.response, responseSchemas().fields(operation), (pointer) =>
      differed(operation, pointer),
    );
    return matchers.length === 0 ? step : { ...step, matchers };
  });
  return { ...fixture, steps };
}
