import { audit } from "../audit/audit.ts";
import { formatAudit } from "../audit/format.ts";
import { recordingTests, toReport } from "../audit/report.ts";
import { readServiceContract } from "../contract/contract.ts";
import { readDataFile } from "../data/data-file.ts";
import { readVersion } from "../data/kit-files.ts";
import { shellLine } from "../data/text.ts";
import { readRecording } from "../recordings/recording.ts";
import { readFormat } from "../recordings/tables.ts";
import { formatVerdict, policyTexts, render } from "../report/console.ts";
import { toData } from "../report/data.ts";
import type { Edge } from "./edge.ts";
import type { Invocation } from "./options.ts";
import { Outputs } from "./output.ts";
import { readPolicies } from "./run.ts";

/**
 * Judges recorded traffic.
 * @returns exit status: 0 no violation found, 1 violation found, 4 too few exchanges are decided
 * @throws {UsageError | DataError}
 */
export async function auditCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const { options, operands } = invocation;
  const outputs = new Outputs(invocation, edge);
  const startMs = edge.elapsedMs();
  const contract = readServiceContract();
  const { facts: file, "base-url": baseUrl, map, verbose = false } = options;
  const policies = readPolicies(options, edge, contract, recordingTests(contract), outputs);
  const read = readRecording(operands, { baseUrl, format: map === undefined ? undefined : readFormat(map) });
  const stated = file === undefined ? {} : (readDataFile(file).value as object);
  const recording = { ...read, facts: { ...read.facts, ...stated } };
  const result = audit(recording);
  const report = toReport(result, contract, shellLine(operands), edge.elapsedMs() - startMs);
  const data = policies.apply(toData(report, { kit: readVersion(), contract, side: "recording" }));
  const policyLines = policyTexts(data).flatMap((texts) => texts.map((text) => `Policy: ${text}`));
  const lines = formatAudit(result, recording, contract, verbose).toSpliced(-1, 0, ...policyLines);
  await outputs.printReport(data, () => outputs.write("console", render(lines, false)));
  return outputs.end(data.verdict.exitStatus, formatVerdict(data));
}
