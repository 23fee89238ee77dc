import assert from "node:assert/strict";
import { httpAdapter } from "../adapters/http.ts";
import { loadKitData } from "../contract/kit-data.ts";
import type { Report } from "../engine/run/report.ts";
import { run } from "../engine/run/run.ts";
import type { IdleTime } from "./idle-time.ts";

/** After so long, in ms, no draft lives that an earlier run was given. */
const AFTER_DRAFTS_MS = 31_000;

/** A server that knows nothing of the kit, and the clock that it keeps. */
export interface Live {
  readonly url: string;
  readonly metadataHosts: readonly string[];
  readonly time: IdleTime;
}

/**
 * Judges a server three times by its plain URL: at first, at once again, and when the drafts of the second time are gone.
 * @param salts what each run is given, where that is not what is drawn
 * @returns the three reports
 */
export async function judgedThrice(
  { url, metadataHosts, time }: Live,
  only: readonly string[],
  salts: readonly string[] = ["a", "b", "c"],
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const [place, text] of salts.entries()) {
    if (place === 2) await time.sleep(AFTER_DRAFTS_MS);
    const adapter = time.watched(httpAdapter({ url, facts: { metadataHosts } }));
    try {
      reports.push(
        await run({
          ...loadKitData(),
          adapter,
          kitVersion: "0.0.0",
          seed: 1,
          salt: { text, told: false },
          only,
          bail: false,
          runs: 0,
          maxWaitMs: 90_000,
          accepted: new Set(),
          time,
        }),
      );
    } finally {
      await adapter.close();
    }
  }
  return reports;
}

/** Every run found the same of every vector, and nothing wrong. */
export function assertAlike(reports: readonly Report[]): void {
  const found = reports.map(({ results }) => results.map(({ id, outcome }) => `${id} ${outcome}`));
  const wrong = reports.flatMap(({ results }) =>
    results.filter(({ outcome }) => outcome === "failed" || outcome === "error").map(({ id }) => id),
  );
  assert.deepEqual(wrong, []);
  for (const other of found.slice(1)) assert.deepEqual(other, found[0]);
  assert.ok(reports.every(({ totals }) => totals.passed > 0));
}
