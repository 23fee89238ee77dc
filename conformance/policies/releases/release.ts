import { join } from "node:path";
import { DataError } from "../../engine/data/data-error.ts";
import { kitNames } from "../../engine/data/packed-files.ts";
import { checkSchema, suggestion } from "../../engine/data/schema.ts";
import { readYaml } from "../../engine/data/yaml-source.ts";
import type { Level } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { suiteName } from "./suite-name.ts";

/** What counted when a version of the kit was released. */
export interface Release {
  readonly version: string;
  /** SHA-256 over the texts of all suites, as lowercase hex. */
  readonly digest: string;
  readonly rules: ReadonlyMap<string, Level | "unobservable">;
  /** Digest of each vector by its id, see `vectorDigests`. */
  readonly vectors: ReadonlyMap<string, string>;
  readonly properties: ReadonlySet<string>;
}

interface ReleaseFile {
  readonly version: string;
  readonly digest: string;
  readonly rules: Readonly<Record<string, Level | "unobservable">>;
  readonly vectors: Readonly<Record<string, string>>;
  readonly properties: readonly string[];
}

/**
 * Finds the release that `--suite` names.
 * @param name `CONTRACT@VERSION`
 * @param contract the contract's id
 * @param folder holds a file for each release, `VERSION.yaml`: of what services are judged by, or clients
 * @throws {DataError} for another contract, and for a version that was never released, with those that were
 */
export function findRelease(name: string, contract: string, folder: string): Release {
  const [asked, version, ...rest] = name.split("@");
  const known = releasedSuites(contract, folder);
  if (asked === contract && version !== undefined && rest.length === 0 && known.includes(name))
    return readRelease(join(folder, `${version}.yaml`));
  const list = known.length === 0 ? "none was released yet" : `there are ${known.join(", ")}`;
  throw new DataError("--suite", `there is no suite ${name}${suggestion(name, known)}; ${list}`);
}

/** Names of the suites that were released of a contract, the oldest first. */
export function releasedSuites(contract: string, folder: string): readonly string[] {
  return releasedVersions(folder).map((version) => suiteName(contract, version));
}

/** Versions that have a file, the oldest first; none where there is no folder. */
export function releasedVersions(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = kitNames(folder);
  } catch {
    return [];
  }
  const versions = names
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length));
  return versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Reads the file of a release. @throws {DataError} with file:line:column for a file that breaks its schema */
export function readRelease(path: string): Release {
  const source = readYaml(path);
  checkSchema(source, PATHS.releaseSchema);
  const { version, digest, rules, vectors, properties } = source.value as ReleaseFile;
  return {
    version,
    digest,
    rules: new Map(Object.entries(rules)),
    vectors: new Map(Object.entries(vectors)),
    properties: new Set(properties),
  };
}
