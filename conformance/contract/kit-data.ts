import type { Contract } from "../engine/contract.ts";
import { loadSuiteFiles, loadSuites, type Suites } from "../engine/vectors/load.ts";
import { PATHS } from "../paths.ts";
import { partnerPreview } from "./partner-preview.ts";

/** All that the kit reads before it drives anything. */
export interface KitData {
  readonly contract: Contract;
  readonly suites: Suites;
}

/** The kit's own data, which nothing changes while a program runs: read once. */
let own: KitData | undefined;

/**
 * The contract's data and every suite: the kit's own, or those of `suitesFolder` where the user keeps vectors elsewhere.
 * @throws {DataError} with file:line:column for any fault in any file
 */
export function loadKitData(suitesFolder: string = PATHS.suites): KitData {
  if (suitesFolder !== PATHS.suites) return readKitData(suitesFolder);
  own ??= readKitData(suitesFolder);
  return own;
}

/** Like {@link loadKitData}, with the vectors of one file in place of the kit's. */
export function loadReplayData(file: string): KitData {
  const contract = own?.contract ?? partnerPreview();
  return { contract, suites: loadSuiteFiles([file], PATHS.suiteSchema, contract) };
}

function readKitData(folder: string): KitData {
  const contract = own?.contract ?? partnerPreview();
  return { contract, suites: loadSuites(folder, PATHS.suiteSchema, contract) };
}
