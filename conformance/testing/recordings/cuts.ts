import { inOrder } from "../../audit/recordings.ts";
import type { AuditOptions } from "../../contract/audit/traffic-judge.ts";
import { ProofWatch } from "../../contract/traffic/proofs.ts";
import { SecretMasks } from "../../contract/traffic/secret-masks.ts";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import type { RandomSource } from "../../engine/search/random-source.ts";
import type { RecordedRun } from "./record-run.ts";

/** What is left of a recording, and what is said of it. */
export interface Cut {
  readonly items: Iterable<Recorded>;
  readonly options: AuditOptions;
}

type Items = readonly Recorded[];
const APART_MS = 100;
/** What lies between two of what happens to a service whose clock stands still. */
const TICK_MS = 0.005;

/** Ways to spoil the recording of one service, by their names. */
export const CUTS: Readonly<Record<string, (items: Items, run: RecordedRun, draw: RandomSource) => Cut>> = {
  whole: (items, { facts, complete }) => ({ items, options: { complete, facts, clockDoubtMs: 0 } }),
  masked: (items, { facts }) => inPart(masked(items, facts.signedBytes), facts),
  "first half missing": (items, { facts }) => inPart(items.slice(items.length / 2), facts),
  "5 % lost": (items, { facts }, draw) =>
    inPart(
      items.filter(() => !draw.percent(5)),
      facts,
    ),
  "restarts not marked": (items) => inPart(items.filter(isExchange), {}),
  "three files, 100 ms apart": (items, { facts }, draw) => {
    const offsets = [-APART_MS / 2, 0, APART_MS / 2];
    const files = offsets.map((offset): { readonly offset: number; readonly items: Recorded[] } => ({
      offset,
      items: [],
    }));
    for (const item of onOneClock(items).filter(isExchange)) {
      const file = draw.pick(files);
      file.items.push(moved(item, file.offset));
    }
    const recordings = files.reverse().map((file) => ({
      file: `${file.offset}`,
      header: { complete: false, facts: {} },
      items: file.items,
    }));
    return { items: inOrder(recordings), options: { complete: false, facts, clockDoubtMs: APART_MS } };
  },
};

function inPart(items: Items, facts: RecordedRun["facts"]): Cut {
  return { items, options: { complete: false, facts, clockDoubtMs: 0 } };
}

function isExchange(item: Recorded): item is RecordedExchange {
  return item.kind === "exchange";
}

/**
 * As somebody would have recorded it who knows only a clock of his own: it goes on as the service's does, a little with
 * each request, and by hours where the service is another.
 */
function onOneClock(items: Items): Items {
  let wholeMs = 1_000_000_000_000;
  let clock = Number.NaN;
  return items.map((item) => {
    const { clockMs = 0, ...rest } = item;
    const passed = clockMs - clock;
    wholeMs += passed >= 0 ? passed : 10_800_000;
    clock = clockMs;
    const at = (ticks: number) => wholeMs + ticks * TICK_MS;
    const startedMs = at(item.startedMs);
    if (rest.kind === "restart") return { ...rest, startedMs };
    return { ...rest, startedMs, endedMs: at(rest.endedMs) };
  });
}

/** As the proxy writes it: what is secret has given way to masks, and it is told whether proofs held. */
function masked(items: Items, signedBytes: RecordedRun["facts"]["signedBytes"]): Items {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const proofs = new ProofWatch(signedBytes);
  return items.map((item) => (isExchange(item) ? maskedExchange(item, masks, proofs) : item));
}

function maskedExchange(item: RecordedExchange, masks: SecretMasks, proofs: ProofWatch): RecordedExchange {
  const proof = proofs.take(item);
  return { ...masks.exchange(item), ...(proof === undefined ? {} : { proof }) };
}

function moved(item: Recorded, ms: number): Recorded {
  const startedMs = item.startedMs + ms;
  return item.kind === "exchange"
    ? { ...item, startedMs, endedMs: item.endedMs + ms }
    : { ...item, startedMs };
}
