// The way in for test files of CommonJS, such as a `.ts` file in a package that states no type.
const { describe } = require("node:test");
const { fileURLToPath } = require("node:url");
const { builtProgram } = require("../bin/door.cjs");

const built = builtProgram("node-test.js");

/** Node before 20.19 requires no ES module: the tests are registered once it is imported, in a suite that waits for it. */
const onceImported = (options) =>
  describe("launch-draft-conformance", async () => (await import(built)).conformanceTests(options));

function conformanceTests() {
  if (built === undefined)
    return require("tsx/cjs/api").require("./node-test.ts", __filename).conformanceTests;
  return process.features.require_module ? require(fileURLToPath(built)).conformanceTests : onceImported;
}

exports.conformanceTests = conformanceTests();
