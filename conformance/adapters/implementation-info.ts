import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { AdapterFault, type Capabilities, type Facts, type ImplementationInfo } from "./adapter.ts";
import { implementationInfoSchema } from "./implementation-info.schema.ts";
import { oneLine, shown } from "./one-line.ts";
import { wantedBy } from "./schema-words.ts";

/** The adapter protocol's version that the kit speaks. */
export const PROTOCOL = 1;

/** The info with everything optional still optional: what {@link implementationInfoSchema} admits. */
interface Stated {
  readonly implementation: ImplementationInfo["implementation"];
  readonly capabilities?: Partial<Capabilities>;
  readonly facts: Partial<Facts> & Pick<Facts, "metadataHosts">;
}

const isStated = new Ajv2020({ verbose: true, strictTuples: false, validateSchema: false }).compile<Stated>(
  implementationInfoSchema,
);

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
  return {
    implementation: { ...implementation },
    capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency, ...capabilities },
    facts: { signedBytes: "utf8", capacity: {}, ...facts },
  };
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
