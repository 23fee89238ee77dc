import { recordingForm } from "../../audit/write-recording.ts";
import { CONTRACT_ID } from "../../contract/operations.ts";
import type { Recorded, RecordingHeader } from "../../engine/audit/recorded.ts";

/** A recording as JSON lines. */
export function recordedLines(header: RecordingHeader, items: readonly Recorded[]): string {
  const creator = { name: "test", version: "1" };
  const form = recordingForm("a.jsonl", { ...header, contract: CONTRACT_ID, creator, baseUrl: "" });
  return (
    form.begin +
    items.map((item) => (item.kind === "restart" ? form.restart(item) : form.exchange(item))).join("")
  );
}
