import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "../../conformance/index.ts";
import type { Variant } from "./variants.ts";

/** What the kit came to about one service. */
export interface Judged {
  readonly variant: Variant;
  readonly verdict: Report["verdict"] | "none";
  /** The first failures, or what went wrong. */
  readonly told: readonly string[];
  /** Whether the kit is right about it. */
  readonly good: boolean;
}

const MOST_TOLD = 3;

/**
 * Judges a service by the command line of a kit, as its users do.
 * @param kit root of the checkout that judges
 */
export async function judgeVariant(variant: Variant, kit: string, seed: number): Promise<Judged> {
  const file = join(tmpdir(), `${variant.id.replace("/", "-")}-${process.pid}.json`);
  const program = join(kit, "bin/launch-draft-conformance.mjs");
  const words = ["run", "--command", variant.command, "--seed", `${seed}`, "--reporter", `json=${file}`];
  const child = spawn(process.execPath, [program, ...words], {
    cwd: variant.folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: Buffer[] = [];
  child.stderr.on("data", (piece: Buffer) => said.push(piece));
  await once(child, "close");
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    rmSync(file);
    return judged(variant, report.verdict, findingsOf(report));
  } catch {
    return judged(variant, "none", [Buffer.concat(said).toString("utf8").trim()]);
  }
}

function judged(variant: Variant, verdict: Judged["verdict"], told: readonly string[]): Judged {
  return { variant, verdict, told: told.slice(0, MOST_TOLD), good: verdict === wanted(variant) };
}

function wanted({ kind, undecided }: Variant): Judged["verdict"] {
  if (kind === "broken") return "does-not-conform";
  return undecided === undefined ? "conforms" : "undecided";
}

function findingsOf({ results }: Report): readonly string[] {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const broken = results.filter(({ outcome }) => outcome === "error");
  return [
    ...failed.map(({ id, failures }) => `${id}: ${failures[0]?.rule ?? ""} ${failures[0]?.message ?? ""}`),
    ...broken.map(({ id, reason }) => `${id}: ${reason ?? ""}`),
  ];
}
