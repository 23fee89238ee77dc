import { addressKind } from "./address.ts";
import type { BodyReading } from "./body-reading.ts";
import { badRequest, certain, type Fault, FIELD_CODES, SHAPE_CODES, uncertain } from "./fault.ts";

const BY_CREATOR = badRequest(...FIELD_CODES, "INVALID_CREATOR");
const BY_FIELDS = badRequest(...FIELD_CODES);
const BY_SHAPE = badRequest(...SHAPE_CODES);
const CREATOR_BY_SHAPE = badRequest(...SHAPE_CODES, "INVALID_CREATOR");

/** Keys that belong to the platform or the operator: the contract does not say whether they may be creators. */
export interface KnownKeys {
  readonly platform: readonly unknown[];
  readonly operator: string | undefined;
}

/**
 * Faults of the members of a challenge request (contract, "POST /v1/auth/challenge").
 * @param termsHash the profile's; undefined where it is not known
 */
export function challengeFaults(
  { kind, members }: BodyReading,
  termsHash: unknown,
  keys: KnownKeys,
): readonly Fault[] {
  if (kind !== "object") return [];
  const extra = Object.keys(members).some((name) => name !== "creator" && name !== "termsHash");
  return [
    ...creatorFaults(members["creator"], keys),
    ...termsFaults(members["termsHash"], termsHash),
    ...(extra ? [certain("CHALLENGE-19", BY_SHAPE, "CODE-CHALLENGE-FIELDS")] : []),
  ];
}

function creatorFaults(creator: unknown, keys: KnownKeys): readonly Fault[] {
  if (creator === undefined)
    return [certain("CHALLENGE-10", CREATOR_BY_SHAPE, "CODE-CHALLENGE-CREATOR-FIELD")];
  if (typeof creator !== "string")
    return [certain("CHALLENGE-11", CREATOR_BY_SHAPE, "CODE-CHALLENGE-CREATOR-FIELD")];
  const malformed = (rule: string) => [certain(rule, BY_CREATOR, "CODE-CHALLENGE-CREATOR")];
  switch (addressKind(creator)) {
    case "alphabet":
      return malformed("CHALLENGE-12");
    case "length":
      return malformed("CHALLENGE-13");
    case "bytes":
      return malformed("CHALLENGE-14");
    case "odd":
    case "mixed":
      return [uncertain("CREATOR-OFF-CURVE", BY_CREATOR)];
    case "usual": {
      const taken = keys.platform.includes(creator) || creator === keys.operator;
      return taken ? [uncertain("CREATOR-IS-PLATFORM-KEY", BY_CREATOR)] : [];
    }
  }
}

function termsFaults(value: unknown, termsHash: unknown): readonly Fault[] {
  const fault = (rule: string) => [certain(rule, BY_FIELDS, "CODE-CHALLENGE-TERMS")];
  const shape = (rule: string) => [certain(rule, BY_SHAPE, "CODE-CHALLENGE-TERMS-FIELD")];
  if (value === undefined) return shape("CHALLENGE-15");
  if (typeof value !== "string") return shape("CHALLENGE-16");
  if (!/^[a-f0-9]{64}$/.test(value)) return fault("CHALLENGE-17");
  if (termsHash === undefined) return [uncertain("CODE-CHALLENGE-TERMS", BY_FIELDS)];
  return value === termsHash ? [] : fault("CHALLENGE-18");
}
