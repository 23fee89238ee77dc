/** As much of vitest as the kit's tests use: the project does not install it. */
declare module "vitest" {
  type Vitest = import("./vitest-tests.ts").Vitest;
  export const describe: Vitest["describe"];
  export const test: Vitest["test"];
  export const afterAll: Vitest["afterAll"];
}
