import { join } from "node:path";
import type { ClientContract } from "../../engine/client/client-contract.ts";
import type { ClientSuites } from "../../engine/client/client-vector.ts";
import { loadClientSuiteFiles, loadClientSuites } from "../../engine/client/load-client-suites.ts";
import { kitNames } from "../../engine/data/packed-files.ts";
import { PREPARED } from "../../engine/data/prepared.ts";
import { PATHS, shownKitPath } from "../../paths.ts";
import { CLIENT_RULE_BOOK_PATHS } from "./client-rule-book.ts";
import { partnerClient } from "./partner-client.ts";

/** All that the kit reads before it judges a client. */
export interface ClientData {
  readonly contract: ClientContract;
  readonly suites: ClientSuites;
}

/** As what the build prepares the suites of clients. */
export const PREPARED_CLIENT_SUITES = "client-suites";

/** The suites as the build prepares them: the file of each vector by its place among the names. */
export interface PreparedClientSuites extends ClientSuites {
  readonly names: readonly string[];
}

let own: ClientData | undefined;

/** The rules of clients, and every suite that tries them. @throws {DataError} with file:line:column for any fault in any file */
export function loadClientData(): ClientData {
  own ??= { contract: partnerClient, suites: preparedSuites() ?? fromSources() };
  return own;
}

/** Like {@link loadClientData}, with the vectors of one file in place of the kit's. */
export function loadClientReplayData(file: string): ClientData {
  return {
    contract: partnerClient,
    suites: loadClientSuiteFiles([file], PATHS.clientSuiteSchema, partnerClient),
  };
}

/** Names of the files of the suites. */
export function clientSuiteFiles(): readonly string[] {
  try {
    return kitNames(PATHS.clientSuites).filter((name) => name.endsWith(".yaml"));
  } catch {
    // A package holds none of them.
    return [];
  }
}

/** All that the suites are made of. */
export function clientSuiteSources(names: readonly string[] = clientSuiteFiles()): readonly string[] {
  const suites = names.map((name) => join(PATHS.clientSuites, name));
  return [
    PATHS.clientSuiteSchema,
    PATHS.clientOrder,
    PATHS.orderSchema,
    PATHS.openapi,
    ...CLIENT_RULE_BOOK_PATHS,
    ...suites,
  ];
}

function fromSources(): ClientSuites {
  return loadClientSuites(PATHS.clientSuites, PATHS.clientSuiteSchema, partnerClient);
}

function preparedSuites(): ClientSuites | undefined {
  const packed = PREPARED.value(PREPARED_CLIENT_SUITES, () => clientSuiteSources()) as
    | PreparedClientSuites
    | undefined;
  if (packed === undefined) return undefined;
  const { names, digest, vectors } = packed;
  const files = new Map(names.map((name) => [name, shownKitPath(join(PATHS.clientSuites, name))]));
  const placed = vectors.map(({ place, ...vector }) => ({
    ...vector,
    place: { file: files.get(place.file) ?? place.file, line: place.line },
  }));
  return { digest, vectors: placed };
}
