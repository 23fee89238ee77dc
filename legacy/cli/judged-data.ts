import type { ClientData } from "../contract/client/client-data.ts";
import type { KitData } from "../contract/kit-data.ts";
import { operationOf } from "../contract/operations.ts";
import { searchId } from "../engine/client/search-result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import type { Report } from "../engine/run/report.ts";
import { everyId } from "../engine/search/search-ids.ts";
import type { OperationOf } from "../reports/failure-groups.ts";

/** What a run is judged and told by, whichever side of the contract it is about. */
export interface JudgedData {
  readonly contract: RuleBook & { readonly id: string };
  /** Of the suites. */
  readonly digest: string;
  /** Ids of all that can be tried, in the order of one run. */
  readonly ids: () => Promise<readonly string[]>;
  readonly operationOf: OperationOf;
}

/** What services are judged by. */
export function serviceData({ contract, suites }: KitData): JudgedData {
  return {
    contract,
    digest: suites.digest,
    ids: () => everyId(contract, suites.vectors),
    operationOf: contract.operations.of,
  };
}

/** What the run of a report was judged by. @throws {DataError} with file:line:column for any fault in any file */
export async function dataOfReport({ side }: Pick<Report, "side">): Promise<JudgedData> {
  if (side === "client") return clientData();
  const { loadKitData } = await import("../contract/kit-data.ts");
  return serviceData(loadKitData());
}

/** What clients are judged by. @throws {DataError} with file:line:column for any fault in any file */
export async function clientData(): Promise<JudgedData> {
  const { loadClientData } = await import("../contract/client/client-data.ts");
  return dataOfClients(loadClientData());
}

/** What clients are judged by, once it is read. */
export function dataOfClients({ contract, suites }: ClientData): JudgedData {
  const search = contract.search === undefined ? [] : [searchId(contract.search)];
  return {
    contract,
    digest: suites.digest,
    ids: async () => [...suites.vectors.map(({ id }) => id), ...search],
    operationOf,
  };
}
