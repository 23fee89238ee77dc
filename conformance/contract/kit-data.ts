import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../engine/contract.ts";
import { PREPARED } from "../engine/data/prepared.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { loadSuiteFiles, loadSuites, type Suites } from "../engine/vectors/load.ts";
import { type PackedSteps, type PackedSuites, unpackSuites } from "../engine/vectors/packed-suites.ts";
import { PATHS } from "../paths.ts";
import { partnerPreview } from "./partner-preview.ts";
import { RULE_BOOK_PATHS } from "./rule-book.ts";

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
  const contract = own?.contract ?? partnerPreview();
  if (suitesFolder !== PATHS.suites) return { contract, suites: fromSources(contract, suitesFolder) };
  own ??= { contract, suites: preparedSuites(contract) ?? fromSources(contract) };
  return own;
}

/** Like {@link loadKitData}, with the vectors of one file in place of the kit's. */
export function loadReplayData(file: string): KitData {
  const contract = own?.contract ?? partnerPreview();
  return { contract, suites: loadSuiteFiles([file], PATHS.suiteSchema, contract) };
}

function fromSources(contract: Contract, folder: string = PATHS.suites): Suites {
  return loadSuites(folder, PATHS.suiteSchema, contract);
}

/** As what the build prepares the kit's own suites; the steps of each file are apart. */
export const PREPARED_SUITES = "suites";
/** As what the build prepares the steps of a file of vectors. */
export const preparedSteps = (name: string) => `steps-of-${name}`;

/** Names of the files of the kit's own suites; none where the folder cannot be read. */
export function suiteFiles(): readonly string[] {
  if (!existsSync(PATHS.suites)) return [];
  const names = readdirSync(PATHS.suites);
  return names.filter((name) => name.endsWith(".yaml")).sort();
}

/** All that the kit's own suites are made of. */
export function suiteSources(names: readonly string[]): readonly string[] {
  const suites = names.map((name) => join(PATHS.suites, name));
  return [PATHS.suiteSchema, PATHS.order, PATHS.orderSchema, ...RULE_BOOK_PATHS, ...suites];
}

function preparedSuites(contract: Contract): Suites | undefined {
  const names = suiteFiles();
  const packed = PREPARED.value(PREPARED_SUITES, suiteSources(names)) as PackedSuites | undefined;
  if (packed === undefined) return undefined;
  const paths = names.map((name) => join(PATHS.suites, name));
  let sources: Suites | undefined;
  return unpackSuites(packed, paths.map(displayPath), {
    stepsOf: (file) =>
      PREPARED.value(preparedSteps(names[file] ?? ""), [paths[file] ?? ""]) as PackedSteps | undefined,
    // What was prepared may have been made anew meanwhile, or the file edited.
    otherwise: (id) => {
      sources ??= fromSources(contract);
      return sources.vectors.find((vector) => vector.id === id);
    },
  });
}
