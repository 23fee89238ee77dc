import type { Report } from "../engine/run/report.ts";

/** Why the exit status is not the one that the verdict alone would give. */
export function exitNote({ verdict, exitStatus }: Report): string {
  if (verdict === "does-not-conform" && exitStatus === 0)
    return "; nothing fails that the baseline does not know";
  return verdict !== "does-not-conform" && exitStatus === 1 ? "; the run fails for what is said above" : "";
}
