// The way in for test files that a loader makes CommonJS of, such as a `.ts` file in a package that states no type.
const { require: tsRequire } = require("tsx/cjs/api");

exports.conformanceTests = tsRequire("./node-test.ts", __filename).conformanceTests;
