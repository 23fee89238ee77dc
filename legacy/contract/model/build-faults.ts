import { OUTCOMES } from "../operations.ts";
import { extraMembers } from "../request-fields.ts";
import { addressKind } from "./address.ts";
import type { BodyReading } from "./body-reading.ts";
import { faultsFound } from "./faults-found.ts";
import type { KnownKeys } from "./known-keys.ts";
import { certain, certainBy, type RequestFault, uncertain } from "./request-fault.ts";
import { textFaults } from "./text-faults.ts";
import { uriFaults } from "./uri-faults.ts";

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

/** Faults of the members of a launch request, whatever the session (contract, "Launch request"). */
export function launchFaults(
  body: BodyReading,
  hosts: readonly string[],
  keys: KnownKeys,
): readonly RequestFault[] {
  if (body.kind !== "object") return [];
  return foundIn(body, [...hosts, keys.operator, ...keys.platform], ({ members }) => {
    const { creator, mint, name, symbol, uri } = members;
    return [
      ...creatorFaults(creator),
      ...mintFaults(mint, creator, keys),
      ...textFaults("name", name),
      ...textFaults("symbol", symbol),
      ...uriFaults(uri, hosts),
      ...(extraMembers("build", members) ? [certainBy("LAUNCH-35", "CODE-BUILD-FIELDS")] : []),
    ];
  });
}

const foundIn = faultsFound();

function creatorFaults(creator: unknown): readonly RequestFault[] {
  const faults = keyFaults(creator, CREATOR_RULES, "CODE-BUILD-CREATOR");
  const odd = faults.length === 0 && typeof creator === "string" && addressKind(creator) === "non-canonical";
  return odd ? [uncertain("CODE-BUILD-CREATOR")] : faults;
}

function mintFaults(mint: unknown, creator: unknown, keys: KnownKeys): readonly RequestFault[] {
  const faults = keyFaults(mint, MINT_RULES, "CODE-BUILD-MINT");
  if (faults.length > 0 || typeof mint !== "string") return faults;
  if (mint === creator) return [certainBy("LAUNCH-12", "CODE-BUILD-MINT-IS-CREATOR")];
  if (mint === keys.operator) return [certainBy("LAUNCH-13", "CODE-BUILD-MINT-IS-OPERATOR")];
  if (keys.platform.includes(mint)) return [uncertain("MINT-IS-PLATFORM-KEY")];
  return addressKind(mint) === "prime-order" ? [] : [uncertain("MINT-OFF-CURVE")];
}

/** @param point that decides on the code for a text that is no key */
function keyFaults(value: unknown, rules: typeof CREATOR_RULES, point: string): readonly RequestFault[] {
  if (value === undefined) return [certainBy(rules.missing, "CODE-BUILD-SHAPE")];
  if (typeof value !== "string") return [certainBy(rules.type, "CODE-BUILD-SHAPE")];
  const kind = addressKind(value);
  const isKey = kind === "non-canonical" || kind === "torsion" || kind === "prime-order";
  return isKey ? [] : [certainBy(rules[kind], point)];
}

/** Faults of an idempotency key (contract, "POST /v1/launch/build"). */
export function keyHeaderFaults(key: string | undefined): readonly RequestFault[] {
  if (key !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(key)) return [];
  if (key === undefined) return [certain("IDEMPOTENCY-1", OUTCOMES.noKey)];
  if (key === "") return [certainBy("IDEMPOTENCY-2", "CODE-IDEMPOTENCY-KEY-EMPTY")];
  const fault = (rule: string) => [certainBy(rule, "CODE-IDEMPOTENCY-KEY")];
  if (!/^[A-Za-z0-9_-]*$/.test(key)) return fault("IDEMPOTENCY-4");
  return fault(key.length < 8 ? "IDEMPOTENCY-2" : "IDEMPOTENCY-3");
}
