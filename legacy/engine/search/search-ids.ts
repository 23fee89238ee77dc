import type { Contract, Searches, SearchIds } from "../contract.ts";
import { propertyId } from "./property-result.ts";

/** The ids of what is searched for, which a contract may know without loading the searches. */
export async function searchIds(contract: Pick<Contract, "searches" | "searchIds">): Promise<SearchIds> {
  return contract.searchIds?.() ?? idsOf(await contract.searches());
}

/** Every id that there is, in the order of one run. */
export async function everyId(
  contract: Pick<Contract, "searches" | "searchIds">,
  vectors: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const { properties, exhaustive } = await searchIds(contract);
  return [...vectors.map(({ id }) => id), ...properties, exhaustive];
}

/** The ids of searches. */
export function idsOf({ properties, exhaustive }: Searches): SearchIds {
  return { properties: properties.map(propertyId), exhaustive: propertyId(exhaustive) };
}
