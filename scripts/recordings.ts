/**
 * Records runs of vectors on mutants and conforming variants, removes parts of these recordings, and audits
 * the rest.
 * Usage: recordings.ts [N]: takes every Nth mutant or variant (default: 10).
 * Prints, for each kind of removal, how many mutants and how many variants have findings. Exit status 1 if a
 * variant has findings.
 */
import type { Adapter, Request, Service } from "../conformance/adapters/adapter.ts";
import { isObject } from "../conformance/adapters/json.ts";
import { audit } from "../conformance/audit/audit.ts";
import type { RecordedItem, Recording } from "../conformance/audit/recording.ts";
import type { RequestPart } from "../conformance/contract/exchange.ts";
import { type Entry, readEntries } from "../conformance/mutants/entries.ts";
import { openService, serviceSubject } from "../conformance/mutants/judge.ts";
import { playVector } from "../conformance/play/play.ts";
import { newContext } from "../conformance/play/vector-run.ts";

/** Time between two events on the recorder's clock, in ms. It does not pass on the service's clock. */
const TICK_MS = 0.001;
const MAX_VECTORS = 60;

const placeOf = (index: number) => ({ file: "recording", line: index + 1 });
const ALL_KNOWN: ReadonlySet<RequestPart> = new Set();

/** Returns an adapter that records every exchange and start. */
function recording(adapter: Adapter, items: RecordedItem[]): Adapter {
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    return ticks * TICK_MS;
  };
  const wrap = (service: Service): Service => ({
    get nowMs() {
      return service.nowMs;
    },
    advance: (ms) => service.advance(ms),
    close: () => service.close(),
    async handle(request: Request) {
      const [clockMs, sentAt] = [service.nowMs, tick()];
      const index = items.length;
      const place = placeOf(index);
      const lost = { request, unknown: ALL_KNOWN };
      items.push({ place, sentAt, receivedAt: sentAt, clockMs, read: () => lost });
      const envelope = await service.handle(request);
      const { status, body } = isObject(envelope) ? envelope : {};
      const exchange = { ...lost, response: { status: Number(status), body: JSON.stringify(body) ?? "" } };
      items[index] = { place, sentAt, receivedAt: tick(), clockMs, read: () => exchange };
      return envelope;
    },
  });
  return {
    ...adapter,
    info: adapter.info,
    hasSeparateServices: adapter.hasSeparateServices,
    lost: undefined,
    bytesToSign: (message) => adapter.bytesToSign(message),
    close: () => adapter.close(),
    async start(nowMs) {
      const sentAt = tick();
      items.push({ place: placeOf(items.length), sentAt, receivedAt: sentAt, clockMs: nowMs });
      return wrap(await adapter.start(nowMs));
    },
  };
}

type Cut = (items: readonly RecordedItem[]) => readonly RecordedItem[];
let state = 1;
/** Returns a number from 0 to 99 (Lehmer generator). */
function percent(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % 100;
}
const CUTS: Readonly<Record<string, Cut>> = {
  whole: (items) => items,
  late: (items) => items.slice(items.length / 2),
  "5 % lost": (items) => items.filter(() => percent() >= 5),
};

const every = Number(process.argv[2] ?? 10);
const { contract, tests } = serviceSubject();
// Recordings cannot show how arguments are passed to a service in the same process.
const vectors = tests.filter(({ needs }) => !needs.includes("in-process"));
const entries = readEntries(contract).filter((_, index) => index % every === 0);
const counts = new Map<string, number>();
const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

for (const entry of entries) {
  const adapter = await openService(entry);
  const items: RecordedItem[] = [];
  const context = newContext(contract, recording(adapter, items), "recording");
  for (const vector of vectorsOf(entry)) await playVector(vector, context);
  count(entry.kind);
  for (const [name, cut] of Object.entries(CUTS)) {
    const facts = adapter.info.facts;
    const histories = [cut(items)];
    const part: Recording = { histories, isComplete: name === "whole", facts, elsewhere: 0, notes: [] };
    const { findings } = audit(part);
    if (findings.length > 0) count(`${entry.kind}, ${name}`);
    const [first] = findings;
    const isExpected = entry.kind === "mutant" ? findings.length > 0 : findings.length === 0;
    if (!isExpected) {
      const what =
        first === undefined
          ? "nothing found"
          : `${first.rules[0]}: expected ${first.expected}, got ${first.got} (line ${first.event.item.place.line})`;
      process.stdout.write(`${entry.id}, ${name}: ${what}\n`);
    }
  }
}
for (const [name, number] of counts) process.stdout.write(`${name}: ${number}\n`);
process.exitCode = [...counts.keys()].some((name) => name.startsWith("variant, ")) ? 1 : 0;

/** Returns the vectors of the rules that a mutant violates, or every eighth vector for a variant. */
function vectorsOf(entry: Entry) {
  if (entry.kind !== "mutant") return vectors.filter((_, index) => index % 8 === 1);
  return vectors
    .filter(({ rules }) => rules.some((rule) => entry.breaks.includes(rule)))
    .slice(0, MAX_VECTORS);
}
