import type { Facts } from "../adapters/adapter.ts";
import { factsComplaint } from "../adapters/implementation-info.ts";
import { factsFile } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

/** Hosts that stand for those that a file of facts may leave out here. */
const ANY_HOSTS = { metadataHosts: ["a.example", "b.example"] };

/**
 * What the user states of a service whose traffic is judged: as much of the adapter protocol's facts as is known.
 * @throws {DataError} with the place in the file, or {UsageError}, for an invalid fact
 */
export function auditedFacts({
  facts,
  metadataHosts,
}: {
  readonly facts?: string;
  readonly metadataHosts?: readonly string[];
}): Partial<Facts> {
  if (metadataHosts !== undefined && metadataHosts.length !== 2)
    throw new UsageError("--metadata-hosts takes the two hosts, A B");
  const { value, source } = facts === undefined ? {} : factsFile(facts);
  const whole = { ...value, ...(metadataHosts === undefined ? {} : { metadataHosts }) };
  const wrong = factsComplaint({ ...ANY_HOSTS, ...whole });
  if (wrong !== undefined)
    throw source === undefined
      ? new UsageError(`--metadata-hosts: ${wrong.message}`)
      : source.error(wrong.path, wrong.message);
  return whole as Partial<Facts>;
}
