import { extraMembers, hasForm } from "../request-fields.ts";
import { addressKind } from "./address.ts";
import type { BodyReading } from "./body-reading.ts";
import { faultsFound } from "./faults-found.ts";
import type { KnownKeys } from "./known-keys.ts";
import { certainBy, type RequestFault, uncertain } from "./request-fault.ts";

/**
 * Faults of the members of a challenge request (contract, "POST /v1/auth/challenge").
 * @param termsHash the profile's; undefined where it is not known
 */
export function challengeFaults(
  body: BodyReading,
  termsHash: unknown,
  keys: KnownKeys,
): readonly RequestFault[] {
  if (body.kind !== "object") return [];
  return foundIn(body, [termsHash, keys.operator, ...keys.platform], ({ members }) => [
    ...creatorFaults(members["creator"], keys),
    ...termsFaults(members["termsHash"], termsHash),
    ...(extraMembers("challenge", members) ? [certainBy("CHALLENGE-19", "CODE-CHALLENGE-FIELDS")] : []),
  ]);
}

const foundIn = faultsFound();

function creatorFaults(creator: unknown, keys: KnownKeys): readonly RequestFault[] {
  if (creator === undefined) return [certainBy("CHALLENGE-10", "CODE-CHALLENGE-CREATOR-FIELD")];
  if (typeof creator !== "string") return [certainBy("CHALLENGE-11", "CODE-CHALLENGE-CREATOR-FIELD")];
  const malformed = (rule: string) => [certainBy(rule, "CODE-CHALLENGE-CREATOR")];
  switch (addressKind(creator)) {
    case "alphabet":
      return malformed("CHALLENGE-12");
    case "length":
      return malformed("CHALLENGE-13");
    case "bytes":
      return malformed("CHALLENGE-14");
    case "non-canonical":
      return [uncertain("CREATOR-OFF-CURVE")];
    case "torsion":
      return [uncertain("CREATOR-MIXED-ORDER")];
    case "prime-order": {
      const taken = keys.platform.includes(creator) || creator === keys.operator;
      return taken ? [uncertain("CREATOR-IS-PLATFORM-KEY")] : [];
    }
  }
}

function termsFaults(value: unknown, termsHash: unknown): readonly RequestFault[] {
  const fault = (rule: string) => [certainBy(rule, "CODE-CHALLENGE-TERMS")];
  const shape = (rule: string) => [certainBy(rule, "CODE-CHALLENGE-TERMS-FIELD")];
  if (value === undefined) return shape("CHALLENGE-15");
  if (typeof value !== "string") return shape("CHALLENGE-16");
  if (!hasForm("challenge", "termsHash", value)) return fault("CHALLENGE-17");
  if (termsHash === undefined) return [uncertain("CODE-CHALLENGE-TERMS")];
  return value === termsHash ? [] : fault("CHALLENGE-18");
}
