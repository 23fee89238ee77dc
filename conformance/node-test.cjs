// The way in for test files that a loader makes CommonJS of, such as a `.ts` file in a package that states no type.
const { fileURLToPath } = require("node:url");
const { builtProgram } = require("../bin/door.cjs");

const built = builtProgram("node-test.cjs");
const fromSources = () => require("tsx/cjs/api").require("./node-test.ts", __filename);

exports.conformanceTests = (
  built === undefined ? fromSources() : require(fileURLToPath(built))
).conformanceTests;
