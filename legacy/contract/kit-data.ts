import { join } from "node:path";
import type { Contract } from "../engine/contract.ts";
import { kitNames } from "../engine/data/packed-files.ts";
import { PREPARED } from "../engine/data/prepared.ts";
import { loadSuiteFiles, loadSuites, type Suites } from "../engine/vectors/load.ts";
import { type PackedSteps, type PackedSuites, unpackSuites } from "../engine/vectors/packed-suites.ts";
import { PATHS, shownKitPath } from "../paths.ts";
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
  try {
    return kitNames(PATHS.suites).filter((name) => name.endsWith(".yaml"));
  } catch {
    return [];
  }
}

/** The suites as the build prepares them, with the names of their files. */
export interface PreparedSuites extends PackedSuites {
  readonly names: readonly string[];
}

/** All that the kit's own suites are made of. */
export function suiteSources(names: readonly string[]): readonly string[] {
  const suites = names.map((name) => join(PATHS.suites, name));
  return [PATHS.suiteSchema, PATHS.order, PATHS.orderSchema, ...RULE_BOOK_PATHS, ...suites];
}

function preparedSuites(contract: Contract): Suites | undefined {
  const of = () => suiteSources(suiteFiles());
  const packed = PREPARED.value(PREPARED_SUITES, of) as PreparedSuites | undefined;
  if (packed === undefined) return undefined;
  const { names } = packed;
  const paths = names.map((name) => join(PATHS.suites, name));
  let sources: Suites | undefined;
  return unpackSuites(packed, paths.map(shownKitPath), {
    stepsOf: (file) =>
      PREPARED.value(preparedSteps(names[file] ?? ""), [paths[file] ?? ""]) as PackedSteps | undefined,
    // What was prepared may have been made anew meanwhile, or the file edited.
    otherwise: (id) => {
      sources ??= fromSources(contract);
      return sources.vectors.find((vector) => vector.id === id);
    },
  });
}
