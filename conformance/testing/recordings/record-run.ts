import type { Adapter, Facts } from "../../adapters/adapter.ts";
import { readHar } from "../../audit/har.ts";
import { readJsonLines } from "../../audit/json-lines.ts";
import { recordingAdapter } from "../../audit/recording-adapter.ts";
import { endOfRecording, RunRecording } from "../../audit/recording-file.ts";
import { inOrder } from "../../audit/recordings.ts";
import { serviceAddress } from "../../cli/service-address.ts";
import type { KitData } from "../../contract/kit-data.ts";
import { CONTRACT_ID } from "../../contract/operations.ts";
import type { Recorded, RecordingHeader } from "../../engine/audit/recorded.ts";
import { run } from "../../engine/run/run.ts";
import type { Vector } from "../../engine/vectors/vector.ts";
import type { GatedReport } from "../../policies/gated-report.ts";

/** The forms in which a recording is written and read. */
export type RecordingForm = "json lines" | "har";

/** What a run of vectors sent to a service, as it was written and read again, with every restart and the reading of its clock. */
export interface RecordedRun {
  readonly items: readonly Recorded[];
  readonly complete: boolean;
  readonly facts: Partial<Facts>;
  readonly report: GatedReport;
}

const FILE = "recording";

/** Runs vectors against a service, and records what passes. The adapter is closed at the end. */
export async function recordRun(
  adapter: Adapter,
  { contract, suites }: KitData,
  vectors: readonly Vector[] = suites.vectors,
  form: RecordingForm = "json lines",
): Promise<RecordedRun> {
  let ticks = 0;
  const pieces: string[] = [];
  const isHar = form === "har";
  const sink = { canGoOn: true, add: (text: string) => pieces.push(text), close: () => {} };
  const file = isHar ? "a.har" : "a.jsonl";
  const creator = { name: "recordings", version: "" };
  const facts = { contract: CONTRACT_ID, creator, baseUrl: "http://service.invalid" };
  const text = new RunRecording(file, facts, sink);
  const recording = recordingAdapter(
    adapter,
    () => {
      ticks += 1;
      return ticks;
    },
    text,
  );
  const report = await run({
    contract,
    suites: { vectors, digest: "" },
    adapter: recording,
    kitVersion: "",
    seed: 1,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
  await recording.close();
  pieces.push(endOfRecording(file));
  return { ...readAgain(isHar, pieces), report };
}

function readAgain(isHar: boolean, pieces: readonly string[]): Omit<RecordedRun, "report"> {
  const parts = isHar ? readHar(FILE, pieces, serviceAddress(undefined)) : readJsonLines(FILE, pieces);
  let header: RecordingHeader = { complete: false, facts: {} };
  const items: Recorded[] = [];
  for (const part of parts) {
    if ("kind" in part) items.push(part);
    else header = part;
  }
  const { complete, facts } = header;
  return { items: [...inOrder([{ file: FILE, header, items }])], complete, facts: facts as Partial<Facts> };
}
