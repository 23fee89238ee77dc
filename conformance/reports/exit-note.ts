import type { GatedReport } from "../policies/gated-report.ts";

/** Why the exit status is not the one that the verdict alone would give. */
export function exitNote({ verdict, exitStatus }: GatedReport): string {
  if (verdict === "does-not-conform" && exitStatus === 0)
    return "; nothing fails that the baseline does not know";
  return verdict !== "does-not-conform" && exitStatus === 1 ? "; the run fails for what is said above" : "";
}
