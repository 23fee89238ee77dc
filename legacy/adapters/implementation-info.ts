import type { ErrorObject } from "ajv/dist/2020.js";
import leven from "leven";
import { AdapterFault, type ImplementationInfo } from "./adapter.ts";
import { isFacts, isStated } from "./implementation-info-validators.ts";
import { oneLine, shown } from "./one-line.ts";
import { wantedBy } from "./schema-words.ts";

/** The adapter protocol's version that the kit speaks. */
export const PROTOCOL = 1;

/**
 * Checks what an implementation says of itself and fills in the defaults: virtual clock, restart, raw bodies,
 * proofs over the message as UTF-8, no known capacity.
 *
 * @param stated `{implementation, capabilities?, facts}` as received
 * @param source where it came from, to begin the message with: `initialize` or a file
 * @param concurrency whether requests are in flight together where `capabilities` does not say
 * @throws {AdapterFault} fatal, one line naming the member that is wrong
 */
export function implementationInfo(
  stated: unknown,
  source: string,
  concurrency: boolean,
): ImplementationInfo {
  const given = withoutNulls(stated);
  if (!isStated(given)) {
    const [error] = isStated.errors ?? [];
    throw new AdapterFault(`${source}: ${error === undefined ? "not understood" : complaint(error)}`, {
      fatal: true,
    });
  }
  const { implementation, capabilities, facts } = given;
  const slip = capabilities === undefined ? meantCapabilities(Object.keys(given)) : undefined;
  if (slip !== undefined) {
    const message = `${oneLine(slip, 80)} is no name of the protocol (did you mean "capabilities"?)`;
    throw new AdapterFault(`${source}: ${message}`, { fatal: true });
  }
  return {
    implementation: { ...implementation },
    capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency, ...capabilities },
    facts: { signedBytes: "utf8", capacity: {}, ...facts },
  };
}

/** What is wrong about facts that somebody wrote down, where anything is: the member's path, and one line. */
export function factsComplaint(
  facts: unknown,
): { readonly path: readonly string[]; readonly message: string } | undefined {
  if (isFacts(withoutNulls(facts))) return undefined;
  const [error] = isFacts.errors ?? [];
  if (error === undefined) return { path: [], message: "not understood" };
  const extra: unknown = error.params["additionalProperty"];
  const path = error.instancePath.split("/").slice(1);
  return { path: typeof extra === "string" ? [...path, extra] : path, message: complaint(error) };
}

/** Members whose value is null are absent: many languages write them so. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]));
}

/**
 * Checks the result of `initialize` (adapter protocol, "Messages"). Requests count as in flight together only where
 * the adapter says so.
 *
 * @throws {AdapterFault} fatal, where the protocol version is another or a member is wrong
 */
export function initializeResult(result: unknown): ImplementationInfo {
  const protocol = (result as { protocol?: unknown } | null | undefined)?.protocol;
  if (protocol !== PROTOCOL) {
    const said = protocol === undefined ? "no protocol version" : `protocol version ${shown(protocol)}`;
    throw new AdapterFault(`initialize: ${said}, but the kit speaks version ${PROTOCOL}`, { fatal: true });
  }
  return implementationInfo(result, "initialize", false);
}

/** One schema error as "member is/must …, not …". */
function complaint(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  const member = (name: unknown) => oneLine(path === "" ? String(name) : `${path}.${String(name)}`, 80);
  const where = path === "" ? "the answer" : oneLine(path, 80);
  const { params } = error;
  switch (error.keyword) {
    case "required":
      return `${member(params["missingProperty"])} is missing`;
    case "additionalProperties":
      return `${member(params["additionalProperty"])} is no name of the protocol${nearest(error)}`;
    case "pattern":
      return `${where} must be ${path.endsWith("operatorKey") ? "a base58 public key" : "a bare host name"}, not ${shown(error.data)}`;
    case "minItems":
    case "maxItems":
      return `${where} must be two strings, not ${shown(error.data)}`;
    case "minLength":
      return `${where} must not be empty`;
    default:
      return `${where} must be ${wantedBy(error)}, not ${shown(error.data)}`;
  }
}

/**
 * Which of these names can only be a slip of the pen for `capabilities`. That member may be absent, so that its slip would
 * claim all that is usual.
 */
function meantCapabilities(names: readonly string[]): string | undefined {
  return names.find((name) => leven(name.toLowerCase(), "capabilities") <= 3);
}

/** The name that was meant, where one is near. */
function nearest({ params, parentSchema }: ErrorObject): string {
  const unknown = String(params["additionalProperty"]).toLowerCase();
  const known = Object.keys((parentSchema as { readonly properties: object }).properties);
  const [best] = known
    .map((name) => ({ name, distance: leven(unknown, name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const isNear = best !== undefined && best.distance <= Math.max(2, Math.floor(unknown.length / 3));
  return isNear ? ` (did you mean "${best.name}"?)` : `; there are ${known.join(", ")}, and x-… for your own`;
}
