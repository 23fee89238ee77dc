/**
 * Records runs of vectors on mutants and conforming variants, removes parts of these recordings, and audits
 * the rest. Also writes the recordings of variants as tools do, ten times each, and audits the files.
 * Usage: recordings.ts [N [KIND]]: takes every Nth entry (default: 10) of a kind (default: all).
 *   mutant    removes parts of recordings of mutants
 *   variant   removes parts of recordings of variants
 *   file      writes recordings of variants as tools do
 * Prints, for each kind of removal, how many mutants and how many variants have findings. Exit status 1 if a
 * variant has findings.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adapter, Request, Service } from "../conformance/adapters/adapter.ts";
import { audit } from "../conformance/audit/audit.ts";
import { readServiceContract } from "../conformance/contract/contract.ts";
import type { RequestPart } from "../conformance/contract/exchange.ts";
import { isObject, show } from "../conformance/data/json.ts";
import { type Entry, readEntries } from "../conformance/mutants/entries.ts";
import { openService } from "../conformance/mutants/judge.ts";
import { playVector } from "../conformance/play/play.ts";
import { newContext, type TestContext } from "../conformance/play/vector-run.ts";
import { type RecordedItem, type Recording, readRecording } from "../conformance/recordings/recording.ts";
import { readFormat } from "../conformance/recordings/tables.ts";
import { loadKitVectors } from "../conformance/suite/load.ts";
import { type RecordedLine, writeRecording } from "./recording-forms.ts";

/** Time between two events on the recorder's clock, in ms. It does not pass on the service's clock. */
const TICK_MS = 0.001;
const MAX_VECTORS = 60;

const placeOf = (index: number) => ({ file: "recording", line: index + 1 });
const ALL_KNOWN: ReadonlySet<RequestPart> = new Set();

/** Returns an adapter that records every exchange and start. */
function recording(adapter: Adapter, items: RecordedItem[]): TestContext["adapter"] {
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
    info: adapter.info,
    bytesToSign: (message) => adapter.bytesToSign(message),
    async start(nowMs) {
      const sentAt = tick();
      items.push({ place: placeOf(items.length), sentAt, receivedAt: sentAt, clockMs: nowMs });
      return wrap(await adapter.start(nowMs));
    },
  };
}

/** Time that passes on the service's clock for each request of a file, in ms. */
const STEP_MS = 4;
/** Time between two services in a file, in ms. It is longer than every lifetime. */
const PAUSE_MS = 2 * 3_600_000;

/** Returns an adapter that records every exchange by the service's clock, which passes during each exchange. */
function recordingLines(adapter: Adapter, lines: RecordedLine[]): TestContext["adapter"] {
  let shiftMs = 0;
  return {
    info: adapter.info,
    bytesToSign: (message) => adapter.bytesToSign(message),
    async start(nowMs) {
      const service = await adapter.start(nowMs);
      const last = lines.at(-1)?.receivedAt ?? nowMs;
      // A service that starts later may have an earlier virtual clock.
      if (nowMs + shiftMs <= last) shiftMs = Math.ceil((last - nowMs + PAUSE_MS) / 1000) * 1000;
      const own = shiftMs;
      return {
        get nowMs() {
          return service.nowMs;
        },
        advance: (ms) => service.advance(ms),
        close: () => service.close(),
        async handle(request: Request) {
          const sentAt = service.nowMs + own;
          await service.advance(1);
          const envelope = await service.handle(request);
          await service.advance(STEP_MS - 1);
          const { status, body } = isObject(envelope) ? envelope : {};
          const response = { status: Number(status), body: JSON.stringify(body) ?? "" };
          // No log has a request without a path, since HTTP cannot carry it.
          const isSent = request.path.startsWith("/");
          if (isSent) lines.push({ sentAt, receivedAt: service.nowMs + own - 2, request, response });
          return envelope;
        },
      };
    },
  };
}

/** Number of files for one variant. */
const FILES = 10;

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
const contract = readServiceContract();
// Recordings cannot show how arguments are passed to a service in the same process.
const vectors = loadKitVectors(contract).filter(({ needs }) => !needs.includes("in-process"));
const kind = process.argv[3];
const isWanted = (name: string) => kind === undefined || kind === name;
const entries = readEntries(contract).filter((_, index) => index % every === 0);
const folder = mkdtempSync(join(tmpdir(), "recordings-"));
const counts = new Map<string, number>();
const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

for (const [index, entry] of entries.entries()) {
  // Each entry has its own random numbers, so that a finding does not depend on which other entries are taken.
  state = ((index * every + 1) * 1_000_003) % 2_147_483_647;
  if (isWanted(entry.kind)) await auditParts(entry);
  if (entry.kind === "variant" && isWanted("file")) await auditFiles(entry);
}
rmSync(folder, { recursive: true });
for (const [name, number] of counts) process.stdout.write(`${name}: ${number}\n`);
process.exitCode = [...counts.keys()].some((name) => name.startsWith("variant, ")) ? 1 : 0;

/** Records an entry, removes parts of the recording, and audits the rest. */
async function auditParts(entry: Entry): Promise<void> {
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
          : `${first.rules[0]}: ${show(first.difference)} (line ${first.event.item.place.line})`;
      process.stdout.write(`${entry.id}, ${name}: ${what}\n`);
    }
  }
}

/** Writes random parts of the recording of a variant as tools do, and audits them. */
async function auditFiles(entry: Entry): Promise<void> {
  const adapter = await openService(entry);
  const lines: RecordedLine[] = [];
  const context = newContext(contract, recordingLines(adapter, lines), "recording");
  for (const vector of vectorsOf(entry)) await playVector(vector, context);
  for (let index = 0; index < FILES; index += 1) {
    const start = random(lines.length);
    const part = lines.slice(start, start + 200).filter(() => random(100) >= 5 * (index % 3));
    if (part.length === 0) continue;
    const { name, text, format } = writeRecording(part, random);
    const file = join(folder, "traffic");
    writeFileSync(file, text);
    const read = readRecording([file], { format: format === undefined ? undefined : readFormat(format) });
    const { findings, whole, partial } = audit({ ...read, facts: adapter.info.facts });
    count("files");
    counts.set("files, exchanges judged", (counts.get("files, exchanges judged") ?? 0) + whole);
    counts.set("files, judged in part", (counts.get("files, judged in part") ?? 0) + partial);
    for (const { rules, event, difference } of findings.slice(0, 1)) {
      count("variant, files");
      process.stdout.write(
        `${entry.id}, ${name}: ${rules[0]}: ${show(difference)} (line ${event.item.place.line}, entry ${event.item.place.entry})\n`,
      );
    }
  }
}

function random(number: number): number {
  percent();
  return Math.floor((state / 2_147_483_647) * number);
}

/** Returns the vectors of the rules that a mutant violates, or every eighth vector for a variant. */
function vectorsOf(entry: Entry) {
  if (entry.kind !== "mutant") return vectors.filter((_, index) => index % 8 === 1);
  return vectors
    .filter(({ rules }) => rules.some((rule) => entry.breaks.includes(rule)))
    .slice(0, MAX_VECTORS);
}
