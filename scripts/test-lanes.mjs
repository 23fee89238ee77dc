/**
 * Lanes: processes that each take many test files, so that what the tests share is loaded once a lane. node:test on
 * Node 20 gives every file that it is told a process of its own, so what it is told are files that import test files.
 */
import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

/** Deals files out over so many lanes, the largest first, each to the lane that has the least to do. */
export function dealt(files, count, weightOf = (file) => statSync(file).size) {
  const lanes = Array.from({ length: Math.min(count, files.length) }, () => ({ weight: 0, files: [] }));
  const weighed = files.map((file) => ({ file, weight: weightOf(file) }));
  for (const { file, weight } of weighed.sort((a, b) => b.weight - a.weight)) {
    const lane = lanes.reduce((least, other) => (other.weight < least.weight ? other : least));
    lane.files.push(file);
    lane.weight += weight;
  }
  return lanes.map((lane) => lane.files);
}

/** Writes a file for each lane, to be given to `node --test`. */
export function writeLanes(folder, lanes) {
  return lanes.map((files, index) => {
    const lane = join(folder, `lane-${index + 1}.mjs`);
    const lines = [
      `import { takeTestFiles } from ${JSON.stringify(import.meta.url)};`,
      `takeTestFiles(${JSON.stringify(files)});`,
    ];
    writeFileSync(lane, `${lines.join("\n")}\n`);
    return lane;
  });
}

/** Loads test files one after the other; their tests start when all are loaded. */
export async function takeTestFiles(files) {
  let start;
  const allLoaded = new Promise((resolve) => {
    start = resolve;
  });
  // A test that waits should not have to wait while other files load.
  before(() => allLoaded);
  for (const file of files) {
    try {
      await import(pathToFileURL(resolve(file)).href);
    } catch (error) {
      test(`${file} can be loaded`, () => Promise.reject(error));
    }
  }
  start();
}
