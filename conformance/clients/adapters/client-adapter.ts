/** How the kit reaches a client: the types that all client adapters share. */
import type { ImplementationInfo } from "../../adapters/adapter.ts";
import { IMPLEMENTATION, oneOf, readMembers, type SignedBytes } from "../../adapters/info.ts";
import { isObject, type JsonObject } from "../../data/json.ts";
import type { SentRequest } from "../history.ts";
import type { ClientResponse } from "../service/response.ts";

/**
 * Handles a request of the client. Resolves to undefined if the request or its response is lost.
 * @param delay waits until a delayed response is due
 * @param isImmediate whether the client certainly did not wait after the previous response (default: false)
 */
export type RequestHandler = (
  request: SentRequest,
  delay: (ms: number) => Promise<void>,
  isImmediate?: boolean,
) => Promise<ClientResponse | undefined>;

/** The parts of the kit that a client can use during a launch. */
export interface LaunchContext {
  readonly handle: RequestHandler;
  /** Waits on the clock of the trial. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns the time of the trial's clock, in ms since the Unix epoch. */
  readonly now: () => number;
  /** Deadline of the launch, on the same clock. */
  readonly endsAtMs: number;
  /** Gets the text that the program writes to standard error. */
  readonly onLog: (text: string) => void;
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
  /**
   * Whether the client can reach a service over HTTP. Real time then advances the clock of a trial. If not, the
   * client has only `handle`, and only its waits and the steps of the trial advance the clock.
   */
  readonly usesHttp: boolean;
  /** Factor by which the task asks the client to multiply its waits. */
  readonly waitScale: number;
  /**
   * Gives the client a task. Resolves to its result, unchecked.
   * @param job number of the client process, which gets the launches of one trial at a time
   * @throws {ImplementationError} if the client exits or violates the client protocol
   */
  perform(task: JsonObject, context: LaunchContext, job: number): Promise<unknown>;
  /** Ends everything that the adapter started. Never rejects. */
  close(): Promise<void>;
}

const FACTS = { signedBytes: oneOf("utf8", "hex", "base64", "sha256") };

/**
 * Checks the statements of a client about itself, and fills in the defaults. Ignores `x-` members.
 * @param stated `{client?, facts?}`
 * @param name name of the client if it states none
 * @param source origin of the statements, which starts error messages
 * @throws {ImplementationError}
 */
export function readClientInfo(
  { client, facts }: { readonly client?: unknown; readonly facts?: unknown },
  name: string,
  source: string,
  transport: ImplementationInfo["transport"],
): ClientInfo {
  const known = (stated: unknown) =>
    isObject(stated)
      ? Object.fromEntries(Object.entries(stated).filter(([member]) => !member.startsWith("x-")))
      : stated;
  const defaults = { name, version: "unversioned" };
  const implementation = readMembers(known(client), `${source}: client`, IMPLEMENTATION, defaults);
  const { signedBytes } = readMembers(known(facts), `${source}: facts`, FACTS, { signedBytes: "utf8" });
  return { implementation, signedBytes, transport } as ClientInfo;
}
