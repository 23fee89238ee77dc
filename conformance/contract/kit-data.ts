import type { Contract } from "../engine/contract.ts";
import { loadSuiteFiles, loadSuites, type Suites } from "../engine/vectors/load.ts";
import { PATHS } from "../paths.ts";
import { partnerPreview } from "./partner-preview.ts";

/** All that the kit reads before it drives anything. */
export interface KitData {
  readonly contract: Contract;
  readonly suites: Suites;
}

/**
 * Reads the contract's data and every suite, from `suitesFolder` where the user keeps vectors elsewhere.
 * @throws {DataError} with file:line:column for any fault in any file
 */
export function loadKitData(suitesFolder: string = PATHS.suites): KitData {
  const contract = partnerPreview();
  return { contract, suites: loadSuites(suitesFolder, PATHS.suiteSchema, contract) };
}

/** Like {@link loadKitData}, with the vectors of one file in place of the kit's. */
export function loadReplayData(file: string): KitData {
  const contract = partnerPreview();
  return { contract, suites: loadSuiteFiles([file], PATHS.suiteSchema, contract) };
}
