import { join } from "node:path";
import { escapeLines } from "../adapters/text.ts";
import { audit, doubtOf, formatAudit } from "../audit/audit.ts";
import { readRecording } from "../audit/recording.ts";
import { readContract } from "../contract/contract.ts";
import { readDataFile } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/kit-files.ts";
import type { Edge } from "./edge.ts";
import type { Invocation } from "./options.ts";

/**
 * Judges recorded traffic.
 * @returns exit status: 0 no violation found, 1 violation found, 4 no response to judge
 * @throws {DataError} if a file or a fact is invalid
 */
export async function auditCommand({ options, operands }: Invocation, edge: Edge): Promise<number> {
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const { facts: file, "base-url": baseUrl } = options;
  const read = readRecording(operands, { baseUrl });
  const stated = file === undefined ? {} : (readDataFile(file).value as object);
  const recording = { ...read, facts: { ...read.facts, ...stated } };
  const result = audit(recording);
  edge.write(escapeLines(formatAudit(result, recording, contract)));
  if (result.findings.length > 0) return 1;
  return doubtOf(result) === undefined ? 0 : 4;
}
