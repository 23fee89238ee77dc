import { AdapterFault } from "../adapters/adapter.ts";
import { shown } from "../adapters/one-line.ts";
import type { ClientInfo } from "../engine/client/client-door.ts";
import { SIGNED_BYTES } from "../engine/client/client-protocol.ts";

type Members = Readonly<Record<string, unknown>>;

/** Where no version is stated, reports say this. */
const UNSTATED = "unstated";

/**
 * Who the client is, by what it states of itself.
 * @param name what it is called where it does not say
 * @throws {AdapterFault} fatal, one line that begins with `where`
 */
export function clientInfo(
  stated: { readonly client?: unknown; readonly facts?: unknown },
  name: string,
  where: string,
): ClientInfo {
  const fault = (message: string) => new AdapterFault(`${where}: ${message}`, { fatal: true });
  const client = stated.client ?? {};
  if (!isMap(client)) throw fault(`client must be an object, not ${shown(client)}`);
  for (const [member, value] of Object.entries(client)) {
    const known = ["name", "version", "language"].includes(member);
    if (!known && !member.startsWith("x-"))
      throw fault(`client.${member} is no name of the protocol; there are name, version, language`);
    if (known && (typeof value !== "string" || value === ""))
      throw fault(`client.${member} must be a text, not ${shown(value)}`);
  }
  const wrong = factsComplaint(stated.facts ?? {});
  if (wrong !== undefined) throw fault(wrong);
  const { language } = client;
  return {
    client: {
      name: String(client["name"] ?? name),
      version: String(client["version"] ?? UNSTATED),
      ...(language === undefined ? {} : { language: String(language) }),
    },
    facts: (stated.facts ?? {}) as Members,
  };
}

/** What is wrong with facts that a client, or its user, states; undefined where nothing is. */
export function factsComplaint(facts: unknown): string | undefined {
  if (!isMap(facts)) return `facts must be an object, not ${shown(facts)}`;
  const unknown = Object.keys(facts).find((name) => name !== "signedBytes" && !name.startsWith("x-"));
  if (unknown !== undefined) return `facts.${unknown} is no name of the protocol; there is signedBytes`;
  const { signedBytes } = facts;
  const isKnown = SIGNED_BYTES.some((one) => one === signedBytes);
  return signedBytes === undefined || isKnown
    ? undefined
    : `facts.signedBytes must be one of ${SIGNED_BYTES.join(", ")}, not ${shown(signedBytes)}`;
}

function isMap(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
