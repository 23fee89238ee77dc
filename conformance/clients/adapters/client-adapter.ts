/** How the kit reaches a client: the types that all client adapters share. */
import { ImplementationError, type ImplementationInfo } from "../../adapters/adapter.ts";
import type { SignedBytes } from "../../adapters/info.ts";
import { isObject, type JsonObject, show } from "../../adapters/json.ts";
import type { ClientRequest } from "../history.ts";
import type { ClientResponse } from "../service/response.ts";

/** How a request reached the simulated service. */
export interface Delivery {
  /** Waits until a delayed response is due. */
  readonly delay: (ms: number) => Promise<void>;
  /** Whether the client certainly did not wait after its previous response. */
  readonly isImmediate: boolean;
}

/** Handles a request of the client. Resolves to undefined if the request or its response is lost. */
export type RequestHandler = (
  request: Pick<ClientRequest, "method" | "path" | "headers" | "bytes">,
  delivery: Delivery,
) => Promise<ClientResponse | undefined>;

/** The parts of the kit that a client can use during a launch. */
export interface LaunchContext {
  readonly handle: RequestHandler;
  /** Waits on the clock of the trial. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns the time of that clock, in ms since the Unix epoch. */
  readonly now: () => number;
  /** Aborted when the launch ends, with or without a result. */
  readonly signal: AbortSignal;
}

/** Statements of a client about itself. */
export interface ClientInfo extends Pick<ImplementationInfo, "implementation" | "transport"> {
  readonly signedBytes: SignedBytes;
}

/** A client under test. */
export interface ClientAdapter {
  readonly info: ClientInfo;
  /** Whether the client can reach a service over HTTP. If not, it has only `handle`. */
  readonly usesHttp: boolean;
  /** Whether real time advances the clock of a trial. If not, only the client's waits and the steps do. */
  readonly waitsInRealTime: boolean;
  /** Factor by which the task asks the client to multiply its waits. */
  readonly waitScale: number;
  /** Opens a connection, which performs the launches of one trial at a time. */
  connect(): Promise<ClientConnection>;
  /** Ends everything that the adapter started. Never rejects. */
  close(): Promise<void>;
}

export interface ClientConnection {
  /**
   * Gives the client a task. Resolves to its result, unchecked.
   * @throws {ImplementationError} if the client ends or breaks the client protocol
   */
  perform(task: JsonObject, context: LaunchContext): Promise<unknown>;
}

const SIGNED_BYTES: readonly SignedBytes[] = ["utf8", "hex", "base64", "sha256"];

/**
 * Checks the statements of a client about itself, and fills in the defaults.
 * @param stated `{client?, facts?}`
 * @param name name of the client if it states none
 * @param source origin of the statements, which starts error messages
 * @throws {ImplementationError}
 */
export function readClientInfo(
  { client = {}, facts = {} }: { readonly client?: unknown; readonly facts?: unknown },
  name: string,
  source: string,
  transport: ImplementationInfo["transport"],
): ClientInfo {
  const fail = (message: string): never => {
    throw new ImplementationError(`${source}: ${message}`);
  };
  if (!isObject(client)) return fail(`client must be an object, got ${show(client)}`);
  if (!isObject(facts)) return fail(`facts must be an object, got ${show(facts)}`);
  const known = ["name", "version", "language"];
  for (const [member, value] of Object.entries(client)) {
    if (member.startsWith("x-")) continue;
    if (!known.includes(member))
      fail(`client has the unknown name ${show(member)}; allowed: ${known.join(", ")}`);
    if (typeof value !== "string" || value === "")
      fail(`client.${member} must be a non-empty string, got ${show(value)}`);
  }
  const unknownFact = Object.keys(facts).find((fact) => fact !== "signedBytes" && !fact.startsWith("x-"));
  if (unknownFact !== undefined)
    fail(`facts has the unknown name ${show(unknownFact)}; allowed: signedBytes`);
  const { signedBytes = "utf8" } = facts;
  if (!SIGNED_BYTES.some((form) => form === signedBytes))
    fail(`facts.signedBytes must be ${SIGNED_BYTES.join(", or ")}, got ${show(signedBytes)}`);
  const { language } = client;
  return {
    implementation: {
      name: String(client["name"] ?? name),
      version: String(client["version"] ?? "unversioned"),
      ...(language === undefined ? {} : { language: String(language) }),
    },
    signedBytes: signedBytes as SignedBytes,
    transport,
  };
}
