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
  "conformance/adapters/bytes-to-sign.test.ts": 2,
  "conformance/adapters/http.test.ts": 1,
  "conformance/adapters/module-process.processes.test.ts": 4,
  "conformance/adapters/process-group.processes.test.ts": 1,
  "conformance/adapters/stdio.test.ts": 3,
  "conformance/api/docs.processes.test.ts": 6,
  "conformance/api/judge.test.ts": 1,
  "conformance/cli.processes.test.ts": 9,
  "conformance/cli/targets.test.ts": 1,
  "conformance/cli/default-run.processes.test.ts": 8,
  "conformance/cli/gates.processes.test.ts": 12,
  "conformance/cli/golden-command.test.ts": 2,
  "conformance/cli/init-command.test.ts": 1,
  "conformance/cli/only-failed.processes.test.ts": 4,
  "conformance/cli/lost-reports.processes.test.ts": 5,
  "conformance/cli/odd-files.test.ts": 1,
  "conformance/cli/over-http.test.ts": 1,
  "conformance/cli/report-command.test.ts": 2,
  "conformance/cli/run-threads.processes.test.ts": 6,
  "conformance/client-doors/doors.processes.test.ts": 5,
  "conformance/contract/capabilities.test.ts": 1,
  "conformance/contract/first-failure.test.ts": 2,
  "conformance/contract/model/model-vectors.test.ts": 3,
  "conformance/contract/two-seeds.test.ts": 1,
  "conformance/engine/run/constant-answers.test.ts": 1,
  "conformance/engine/run/counter-threads.test.ts": 1,
  "conformance/engine/run/pool.test.ts": 1,
  "conformance/engine/run/hangs.processes.test.ts": 7,
  "conformance/engine/run/judged-again.test.ts": 1,
  "conformance/engine/run/merged-run.test.ts": 4,
  "conformance/engine/run/reference.test.ts": 2,
  "conformance/engine/search/exhaustive.test.ts": 1,
  "conformance/engine/search/run-properties.test.ts": 3,
  "conformance/examples/java.languages.test.ts": 4,
  "conformance/examples/statements.processes.test.ts": 5,
  "conformance/mutants/edits-layout.test.ts": 2,
  "conformance/mutants/judge-client.test.ts": 1,
  "conformance/mutants/hidden/hidden-faults.test.ts": 2,
  "conformance/node-test.processes.test.ts": 7,
  "conformance/reports/html/html-report.test.ts": 2,
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
