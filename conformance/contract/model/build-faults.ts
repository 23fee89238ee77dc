import { addressKind } from "./address.ts";
import type { BodyReading } from "./body-reading.ts";
import type { KnownKeys } from "./challenge-faults.ts";
import { badRequest, certain, type Fault, FIELD_CODES, LAUNCH_SHAPE, uncertain } from "./fault.ts";
import { textFaults } from "./text-faults.ts";
import { uriFaults } from "./uri-faults.ts";

/** The five fields of a launch request, in the order of the contract. */
export const LAUNCH_FIELDS = ["creator", "mint", "name", "symbol", "uri"] as const;

const BY_FIELDS = badRequest(...FIELD_CODES, "CANONICAL_BUILD_REJECTED");
const BY_CREATOR = badRequest(...FIELD_CODES, "CANONICAL_BUILD_REJECTED", "INVALID_CREATOR");

const CREATOR_RULES = {
  missing: "LAUNCH-1",
  type: "LAUNCH-2",
  alphabet: "LAUNCH-3",
  length: "LAUNCH-4",
  bytes: "LAUNCH-5",
};
const MINT_RULES = {
  missing: "LAUNCH-7",
  type: "LAUNCH-8",
  alphabet: "LAUNCH-9",
  length: "LAUNCH-10",
  bytes: "LAUNCH-11",
};

/** Faults that were found in a body, for the keys that were known then. */
const found = new WeakMap<
  BodyReading,
  { readonly keys: readonly unknown[]; readonly faults: readonly Fault[] }
>();

/** Faults of the members of a launch request, whatever the session (contract, "Launch request"). */
export function launchFaults(body: BodyReading, hosts: readonly string[], keys: KnownKeys): readonly Fault[] {
  if (body.kind !== "object") return [];
  const named = [...hosts, keys.operator, ...keys.platform];
  const known = found.get(body);
  if (known?.keys.every((key, index) => key === named[index])) return known.faults;
  const faults = findFaults(body.members, hosts, keys);
  found.set(body, { keys: named, faults });
  return faults;
}

function findFaults(
  { creator, mint, name, symbol, uri, ...rest }: BodyReading["members"],
  hosts: readonly string[],
  keys: KnownKeys,
): readonly Fault[] {
  return [
    ...creatorFaults(creator),
    ...mintFaults(mint, creator, keys),
    ...textFaults("name", name),
    ...textFaults("symbol", symbol),
    ...uriFaults(uri, hosts),
    ...(Object.keys(rest).length > 0 ? [certain("LAUNCH-35", LAUNCH_SHAPE, "CODE-BUILD-FIELDS")] : []),
  ];
}

function creatorFaults(creator: unknown): readonly Fault[] {
  const faults = keyFaults(creator, CREATOR_RULES, certainBy(BY_CREATOR, "CODE-BUILD-CREATOR"));
  const odd = faults.length === 0 && typeof creator === "string" && addressKind(creator) === "odd";
  return odd ? [uncertain("CODE-BUILD-CREATOR", BY_CREATOR)] : faults;
}

function mintFaults(mint: unknown, creator: unknown, keys: KnownKeys): readonly Fault[] {
  const faults = keyFaults(mint, MINT_RULES, certainBy(BY_FIELDS, "CODE-BUILD-MINT"));
  if (faults.length > 0 || typeof mint !== "string") return faults;
  if (mint === creator) return [certain("LAUNCH-12", BY_CREATOR, "CODE-BUILD-MINT-IS-CREATOR")];
  if (mint === keys.operator) return [certain("LAUNCH-13", BY_FIELDS, "CODE-BUILD-MINT-IS-OPERATOR")];
  if (keys.platform.includes(mint)) return [uncertain("MINT-IS-PLATFORM-KEY", BY_FIELDS)];
  return addressKind(mint) === "usual" ? [] : [uncertain("MINT-OFF-CURVE", BY_FIELDS)];
}

function certainBy(outcome: ReturnType<typeof badRequest>, point: string): (rule: string) => Fault {
  return (rule) => certain(rule, outcome, point);
}

function keyFaults(
  value: unknown,
  rules: typeof CREATOR_RULES,
  fault: (rule: string) => Fault,
): readonly Fault[] {
  if (value === undefined) return [certain(rules.missing, LAUNCH_SHAPE, "CODE-BUILD-SHAPE")];
  if (typeof value !== "string") return [certain(rules.type, LAUNCH_SHAPE, "CODE-BUILD-SHAPE")];
  const kind = addressKind(value);
  return kind === "odd" || kind === "mixed" || kind === "usual" ? [] : [fault(rules[kind])];
}

/** Faults of an idempotency key (contract, "POST /v1/launch/build"). */
export function keyHeaderFaults(key: string | undefined): readonly Fault[] {
  if (key !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(key)) return [];
  if (key === undefined) return [certain("IDEMPOTENCY-1", badRequest("IDEMPOTENCY_REQUIRED"))];
  const malformed = badRequest("IDEMPOTENCY_REQUIRED", ...FIELD_CODES);
  if (key === "") return [certain("IDEMPOTENCY-2", malformed, "CODE-IDEMPOTENCY-KEY-EMPTY")];
  const fault = (rule: string) => [certain(rule, malformed, "CODE-IDEMPOTENCY-KEY")];
  if (!/^[A-Za-z0-9_-]*$/.test(key)) return fault("IDEMPOTENCY-4");
  return fault(key.length < 8 ? "IDEMPOTENCY-2" : "IDEMPOTENCY-3");
}
