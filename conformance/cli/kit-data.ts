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

/** The kit's own data, which nothing changes while a program runs: read once. */
let own: KitData | undefined;

/** The contract's data and every suite: the kit's own, or those of `suitesFolder` where the user keeps vectors elsewhere. */
export function loadKitData(suitesFolder: string = PATHS.suites): KitData {
  if (suitesFolder !== PATHS.suites)
    return readKitData((contract) => loadSuites(suitesFolder, PATHS.suiteSchema, contract));
  own ??= readKitData((contract) => loadSuites(PATHS.suites, PATHS.suiteSchema, contract));
  return own;
}

/** Like {@link loadKitData}, with the vectors of one file in place of the kit's. */
export function loadReplayData(file: string): KitData {
  return readKitData((contract) => loadSuiteFiles([file], PATHS.suiteSchema, contract));
}

function readKitData(readSuites: (contract: Contract) => Suites): KitData {
  const contract = own?.contract ?? loadContract(PATHS.contract);
  const schemas = own?.schemas ?? loadResponseSchemas(PATHS.openapi);
  return { contract, schemas, suites: readSuites(contract) };
}
