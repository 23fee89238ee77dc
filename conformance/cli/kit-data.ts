import { loadResponseSchemas, type ResponseSchemas } from "../contract/judge/response-schemas.ts";
import { type Contract, loadContract } from "../engine/rule-book.ts";
import { loadSuiteFiles, loadSuites, type Suites } from "../engine/vectors/load.ts";
import { PATHS } from "../paths.ts";

/** All that the kit reads before it drives anything. */
export interface KitData {
  readonly contract: Contract;
  readonly schemas: ResponseSchemas;
  readonly suites: Suites;
}

/** Reads the contract's data and every suite, from `suitesFolder` where the user keeps vectors elsewhere. */
export function loadKitData(suitesFolder: string = PATHS.suites): KitData {
  const contract = loadContract(PATHS.contract);
  return {
    contract,
    schemas: loadResponseSchemas(PATHS.openapi),
    suites: loadSuites(suitesFolder, PATHS.suiteSchema, contract),
  };
}

/** Like {@link loadKitData}, with the vectors of one file in place of the kit's. */
export function loadReplayData(file: string): KitData {
  const contract = loadContract(PATHS.contract);
  return {
    contract,
    schemas: loadResponseSchemas(PATHS.openapi),
    suites: loadSuiteFiles([file], PATHS.suiteSchema, contract),
  };
}
