import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Report } from "../../conformance/index.ts";
import { readReport } from "../../conformance/reports/read-report.ts";
import type { Condition } from "./conditions.ts";
import type { Door } from "./doors.ts";

/** One run of the kit over a door under a condition. */
export interface Cell {
  readonly door: string;
  readonly condition: string;
  readonly status: number | null;
  /** None where the run ended without one; `told` says what it printed then. */
  readonly report?: Report;
  readonly told: string;
  readonly seconds: number;
}

const BIN = fileURLToPath(new URL("../../bin/launch-draft-conformance.mjs", import.meta.url));

/** Whether a crowd finds an end hangs on what else is stored: a service that all vectors share forgets meanwhile. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["CROWD-OF-CREATORS"]);

/**
 * Choices that a run saw otherwise than another run of the same implementation, one line each. Where vectors were skipped,
 * fewer readings may show; another one may not.
 */
export function otherChoices(
  report: Pick<Report, "choices">,
  first: Pick<Report, "choices">,
): readonly string[] {
  const readings = new Map(first.choices.map(({ point, observed }) => [point, observed]));
  return report.choices.flatMap(({ point, observed }) => {
    const other = readings.get(point) ?? UNSEEN;
    const fits = observed.split(" | ").every((one) => other.split(" | ").includes(one));
    return fits || [other, observed].includes(UNSEEN) || OF_THE_MOMENT.has(point)
      ? []
      : [`${point} is ${observed}, but ${other} over the first adapter`];
  });
}

const UNSEEN = "not seen";

/** Judges the reference over a door under a condition, by the command line. */
export async function judgeCell(door: Door, condition: Condition): Promise<Cell> {
  const { words, environment, close } = await door.open(condition);
  const folder = mkdtempSync(join(tmpdir(), "field-"));
  const file = join(folder, "report.json");
  const jobs = condition.delay === "each" && door.startsSeveral ? ["--jobs", "8"] : [];
  const judge = async () => {
    const startedMs = performance.now();
    const child = spawn(
      process.execPath,
      [BIN, "run", ...words, ...jobs, "--reporter", `json=${file}`, "--reporter", "console"],
      { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment, NO_COLOR: "1" } },
    );
    const told = Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = (await once(child, "close")) as [number | null];
    return { status, told: (await told).join(""), seconds: (performance.now() - startedMs) / 1000 };
  };
  try {
    if (condition.judgedBefore) await judge();
    rmSync(file, { force: true });
    const judged = await judge();
    const report = existsSync(file) ? readReport(file) : undefined;
    return {
      door: door.name,
      condition: condition.name,
      ...judged,
      ...(report === undefined ? {} : { report }),
    };
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}
