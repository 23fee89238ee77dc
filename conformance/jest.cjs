// The way in for jest, which has to know all tests of a file before it runs any, and skips none once it runs. So the
// implementation is judged in a process of its own first, and what came of it is then told test by test.
const { spawnSync } = require("node:child_process");
const { join } = require("node:path");
const { describe, test } = require("@jest/globals");

const JUDGE = join(__dirname, "jest-judge.mjs");
/** Bytes; what is told of ten thousand failures. */
const MOST_TOLD = 256 * 1024 * 1024;

/** See jest.d.cts. */
exports.conformanceTests = (options) => {
  const { name, tests } = judged(options);
  describe(name, () => {
    for (const [suite, members] of bySuite(tests)) {
      describe(suite, () => {
        for (const { id, skipped, failed } of members) {
          if (skipped === undefined) test(id, () => failed && fail(failed));
          else test.skip(`${id} (${skipped})`, () => {});
        }
      });
    }
  });
};

function judged(options) {
  if (options?.createService !== undefined || options?.service !== undefined)
    throw new TypeError(
      "conformanceTests: jest runs tests in a world of their own: name the service's file as module",
    );
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [JUDGE], {
    input: JSON.stringify(options ?? {}),
    encoding: "utf8",
    maxBuffer: MOST_TOLD,
  });
  if (error !== undefined || status !== 0)
    throw new Error(`conformanceTests: nothing was judged: ${error?.message ?? stderr}`);
  const told = JSON.parse(stdout);
  if (told.fault !== undefined) throw Object.assign(new Error(told.fault.message), { name: told.fault.name });
  return told;
}

function fail({ message, stack }) {
  throw Object.assign(new Error(message), { stack });
}

function bySuite(tests) {
  const suites = new Map();
  for (const one of tests) {
    if (!suites.has(one.suite)) suites.set(one.suite, []);
    suites.get(one.suite).push(one);
  }
  return suites;
}
