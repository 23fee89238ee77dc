import { requestJson } from "../../contract/judge/request-json.ts";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import type { RandomSource } from "../../engine/search/random-source.ts";

type Items = readonly Recorded[];

/** How far apart the clocks of several recorders are at the most, in ms. */
export const APART_MS = 600;
/** How long before it is served a request may begin, and how long after that it may end, in ms. */
const LATENCY_MS = 400;
const SECOND_MS = 1_000;

/** How those record who see the same traffic from afar. */
export interface Recorders {
  /** Whether there are three, whose clocks are apart. */
  readonly areApart: boolean;
  /** Whether they write whole seconds. */
  readonly inSeconds: boolean;
}

/** The same traffic as others recorded it: nobody uses an id or a bearer before the answer that gave it was there. */
export function recordedBy({ areApart, inSeconds }: Recorders, items: Items, draw: RandomSource): Items {
  const offsets = [1, 2, 3].map(() => (areApart ? draw.below(APART_MS + 1) - APART_MS / 2 : 0));
  const firstUse = new Map<string, number>();
  for (const item of items)
    for (const name of item.kind === "exchange" ? usedBy(item) : [])
      if (!firstUse.has(name)) firstUse.set(name, item.startedMs);
  const givenMs = new Map<string, number>();
  const moved = items.map((item): Recorded => {
    const recorder = areApart ? draw.below(offsets.length) : 0;
    const offset = offsets[recorder] ?? 0;
    const source = { ...item.source, file: `recording ${recorder + 1}` };
    if (item.kind === "restart")
      return { ...item, source, ...rounded(item.startedMs + offset, 0, inSeconds) };
    const early = draw.percent(30) ? draw.below(LATENCY_MS) : 0;
    const late = draw.percent(30) ? draw.below(LATENCY_MS) : 0;
    const since = Math.max(0, ...usedBy(item).map((name) => givenMs.get(name) ?? 0));
    const until = Math.min(
      ...givenBy(item).map((name) => (firstUse.get(name) ?? Number.POSITIVE_INFINITY) - 1),
    );
    const startedMs = Math.min(item.startedMs, Math.max(since, item.startedMs - early));
    const endedMs = Math.max(item.endedMs, Math.min(until, item.endedMs + late));
    for (const name of givenBy(item)) givenMs.set(name, endedMs);
    return { ...item, source, ...rounded(startedMs + offset, endedMs - startedMs, inSeconds) };
  });
  return moved.sort((one, other) => one.startedMs - other.startedMs);
}

/** When something began and ended, as it is written. */
function rounded(startedMs: number, tookMs: number, inSeconds: boolean) {
  if (!inSeconds) return { startedMs, endedMs: startedMs + tookMs };
  const secondMs = Math.floor(startedMs / SECOND_MS) * SECOND_MS;
  return { startedMs: secondMs, endedMs: startedMs + tookMs + SECOND_MS - 1 };
}

/** The same, but of some exchanges the answer is missing, its body, the request's, or that and who asked. */
export function withPartsLost(items: Items, draw: RandomSource): Items {
  return items.map((item) => {
    if (item.kind === "restart" || !draw.percent(10)) return item;
    const { response, ...rest } = item;
    const { body: _, bearer: __, ...request } = item.request;
    const { bearer } = item.request;
    const asker = bearer === undefined ? {} : { bearer };
    return draw.pick<Recorded>([
      rest,
      { ...rest, response: { status: response?.status ?? 0 } },
      { ...item, request: { ...request, ...asker }, requestLost: true },
      { ...item, request, requestLost: true, credentials: "odd" },
    ]);
  });
}

/** The same, but some of it nobody saw. */
export function withSomeLost(items: Items, draw: RandomSource): Items {
  return items.filter(() => !draw.percent(10));
}

/** The same as browsers export it: nothing tells who asked. */
export function withoutCallers(items: Items): Items {
  return items.map((item) => {
    if (item.kind === "restart") return item;
    const { bearer: _, ...request } = item.request;
    return { ...item, request, credentials: "none" };
  });
}

/** What a service says of a proof that does not hold, and of nothing else. */
const REFUSAL = { status: 401, body: '{"code":"INVALID_PROOF","productionApproved":false}' };

/** The same, but that one answer is a refusal where it was a success, and where it was none the success of another request. */
export function withOneSpoilt(items: Items, draw: RandomSource): Items {
  const posted = items.filter(
    (item): item is RecordedExchange => item.kind === "exchange" && item.request.method === "POST",
  );
  const served = posted.filter(({ response }) => response?.status === 200);
  const alike = ({ request }: RecordedExchange) => served.find((one) => one.request.path === request.path);
  const spoilt = draw.pick(posted.filter((one) => alike(one) !== undefined));
  const response = served.includes(spoilt) ? REFUSAL : (alike(spoilt)?.response ?? REFUSAL);
  return items.map((item) => (item === spoilt ? { ...spoilt, response } : item));
}

/** Ids and bearers that a request names. */
function usedBy({ request }: RecordedExchange): readonly string[] {
  return textsIn([request.bearer, requestJson(request)?.["id"]]);
}

/** Ids and bearers that an answer gives. */
function givenBy({ response = { status: 0 } }: RecordedExchange): readonly string[] {
  const { id, bearer } = requestJson(response) ?? {};
  return textsIn([id, bearer]);
}

function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}
