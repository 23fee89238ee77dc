/**
 * Lanes: processes that each take many test files, so that what the tests share is loaded once a lane. node:test on
 * Node 20 gives every file that it is told a process of its own, so what it is told are files that import test files.
 */
import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

/** What takes a second and more, in s: such files start processes, or run the whole kit. */
export const SLOW = {
  "legacy/adapters/bytes-to-sign.test.ts": 2,
  "legacy/adapters/http.test.ts": 1,
  "legacy/adapters/module-process.processes.test.ts": 4,
  "legacy/adapters/process-group.processes.test.ts": 1,
  "legacy/adapters/stdio.test.ts": 3,
  "legacy/api/docs.processes.test.ts": 6,
  "legacy/api/judge.test.ts": 1,
  "legacy/cli.processes.test.ts": 9,
  "legacy/cli/targets.test.ts": 1,
  "legacy/cli/default-run.processes.test.ts": 8,
  "legacy/cli/gates.processes.test.ts": 12,
  "legacy/cli/golden-command.test.ts": 2,
  "legacy/cli/init-command.test.ts": 1,
  "legacy/cli/only-failed.processes.test.ts": 4,
  "legacy/cli/lost-reports.processes.test.ts": 5,
  "legacy/cli/odd-files.test.ts": 1,
  "legacy/cli/over-http.test.ts": 1,
  "legacy/cli/report-command.test.ts": 2,
  "legacy/cli/run-threads.processes.test.ts": 6,
  "legacy/client-doors/doors.processes.test.ts": 5,
  "legacy/contract/capabilities.test.ts": 1,
  "legacy/contract/first-failure.test.ts": 2,
  "legacy/contract/model/model-vectors.test.ts": 3,
  "legacy/contract/two-seeds.test.ts": 1,
  "legacy/engine/run/constant-answers.test.ts": 1,
  "legacy/engine/run/counter-threads.test.ts": 1,
  "legacy/engine/run/pool.test.ts": 1,
  "legacy/engine/run/hangs.processes.test.ts": 7,
  "legacy/engine/run/judged-again.test.ts": 1,
  "legacy/engine/run/merged-run.test.ts": 4,
  "legacy/engine/run/reference.test.ts": 2,
  "legacy/engine/search/exhaustive.test.ts": 1,
  "legacy/engine/search/run-properties.test.ts": 3,
  "legacy/examples/java.languages.test.ts": 4,
  "legacy/examples/statements.processes.test.ts": 5,
  "legacy/mutants/edits-layout.test.ts": 2,
  "legacy/mutants/judge-client.test.ts": 1,
  "legacy/mutants/hidden/hidden-faults.test.ts": 2,
  "legacy/node-test.processes.test.ts": 7,
  "legacy/reports/html/html-report.test.ts": 2,
  "scripts/action.processes.test.ts": 12,
  "scripts/build/built.processes.test.ts": 15,
  "scripts/build/prepare-data.test.ts": 1,
};
/** Of any other file, so many bytes take about a second. */
const BYTES_PER_SECOND = 60_000;

/** Deals files out over so many lanes, the slowest first, each to the lane that has the least to do. */
export function dealt(files, count, weightOf = secondsOf) {
  const lanes = Array.from({ length: Math.min(count, files.length) }, () => ({ weight: 0, files: [] }));
  const weighed = files.map((file) => ({ file, weight: weightOf(file) }));
  for (const { file, weight } of weighed.sort((a, b) => b.weight - a.weight)) {
    const lane = lanes.reduce((least, other) => (other.weight < least.weight ? other : least));
    lane.files.push(file);
    lane.weight += weight;
  }
  return lanes.map((lane) => lane.files);
}

function secondsOf(file) {
  return SLOW[file] ?? statSync(file).size / BYTES_PER_SECOND;
}

/** Writes a file for each lane, to be given to `node --test`. */
export function writeLanes(folder, lanes) {
  return lanes.map((files, index) => {
    const lane = join(folder, `lane-${index + 1}.mjs`);
    const all = join(folder, `files-${index + 1}.mjs`);
    writeFileSync(all, files.map((file) => `import ${JSON.stringify(urlOf(file))};\n`).join(""));
    const lines = [
      `import { takeTestFiles } from ${JSON.stringify(import.meta.url)};`,
      `takeTestFiles(${JSON.stringify(files)}, ${JSON.stringify(urlOf(all))});`,
    ];
    writeFileSync(lane, `${lines.join("\n")}\n`);
    return lane;
  });
}

function urlOf(file) {
  return pathToFileURL(resolve(file)).href;
}

/**
 * Loads test files; their tests start when all are loaded.
 * @param all a module that imports them all: what it imports is fetched side by side, which takes less time
 */
export async function takeTestFiles(files, all) {
  let start;
  const allLoaded = new Promise((resolve) => {
    start = resolve;
  });
  // A test that waits should not have to wait while other files load.
  before(() => allLoaded);
  // What is wrong with one is told below, where it is known which.
  await import(all).catch(() => undefined);
  for (const file of files) {
    try {
      await import(urlOf(file));
    } catch (error) {
      test(`${file} can be loaded`, () => Promise.reject(error));
    }
  }
  start();
}
