import { existsSync } from "node:fs";
import { auditId } from "../engine/audit/audit-id.ts";
import { kitVersion } from "../paths.ts";
import type { BaselineGate } from "../policies/baseline/apply-baseline.ts";
import { readBaseline } from "../policies/baseline/baseline.ts";
import { readChoices } from "../policies/choices/saved-choices.ts";
import type { Gates } from "../policies/gated-report.ts";
import { findRelease } from "../policies/releases/release.ts";
import { vectorDigests } from "../policies/releases/vector-digests.ts";
import type { JudgedData } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** Options that name what an implementation is held to besides the contract. */
export type GatesOptions = Pick<
  OptionsOf<"run">,
  "baseline" | "updateBaseline" | "choices" | "updateChoices" | "suite"
>;

/**
 * Reads what the options name, before anything runs. A file that is to be written need not be there yet.
 * @param nowMs milliseconds since the Unix epoch
 * @throws {UsageError} for an update without a file
 * @throws {DataError} for a file with a fault, and for a set that was never frozen
 */
export async function loadGates(options: GatesOptions, data: JudgedData, nowMs: number): Promise<Gates> {
  const { contract, folder, releases } = data;
  const { baseline, updateBaseline, choices, updateChoices, suite } = options;
  if (updateBaseline && baseline === undefined)
    throw new UsageError("--update-baseline goes with --baseline FILE, which it writes");
  if (updateChoices && choices === undefined)
    throw new UsageError("--update-choices goes with --choices FILE, which it writes");
  return {
    ...(baseline === undefined || (updateBaseline && !existsSync(baseline))
      ? {}
      : { baseline: await baselineGate(baseline, data, nowMs) }),
    ...(choices === undefined || (updateChoices && !existsSync(choices))
      ? {}
      : { choices: readChoices(choices, contract.points) }),
    ...(suite === undefined
      ? {}
      : {
          frozen: {
            release: findRelease(suite, contract.id, releases),
            digests: vectorDigests(folder),
            kitVersion: kitVersion(),
          },
        }),
  };
}

/** Ids of all that may fail: in a run, and in traffic. */
export async function knownIds({
  contract,
  ids,
}: Pick<JudgedData, "contract" | "ids">): Promise<ReadonlySet<string>> {
  return new Set([...(await ids()), ...[...contract.rules.keys()].map(auditId)]);
}

/** A baseline as a run is held to it today. */
export async function baselineGate(
  file: string,
  data: Pick<JudgedData, "contract" | "ids">,
  nowMs: number,
): Promise<BaselineGate> {
  return {
    baseline: readBaseline(file),
    today: new Date(nowMs).toISOString().slice(0, 10),
    ids: await knownIds(data),
  };
}
