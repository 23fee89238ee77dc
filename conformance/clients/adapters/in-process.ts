/** Adapter for a client module that runs in this process. A client that hangs or crashes affects the kit. */
import { ImplementationError } from "../../adapters/adapter.ts";
import type { JsonObject } from "../../adapters/json.ts";
import { errorText } from "../../adapters/text.ts";
import { requestOfCall } from "./called-request.ts";
import { type ClientAdapter, type ClientInfo, type LaunchContext, readClientInfo } from "./client-adapter.ts";

/** Exports of a client module (client protocol, "A module"). */
export interface ClientModule {
  launch(task: unknown, tools: object): unknown;
  readonly client?: unknown;
  readonly facts?: unknown;
}

/** A client whose waits advance the clock of the trial and take no real time. */
export class InProcessClient implements ClientAdapter {
  readonly info: ClientInfo;
  readonly usesHttp: boolean;
  readonly waitsInRealTime = false;
  readonly waitScale = 1;
  readonly #module: ClientModule;

  /**
   * @param usesHttp whether the client reaches the service over HTTP; if not, it calls `handle`
   * @throws {ImplementationError} if a statement of the module is invalid
   */
  constructor(module: ClientModule, usesHttp = false) {
    this.info = readClientInfo(module, "the module", "the module", "in-process");
    this.usesHttp = usesHttp;
    this.#module = module;
  }

  async perform(task: JsonObject, context: LaunchContext): Promise<unknown> {
    const handle = async (call: unknown) => {
      const response = await duringLaunch(context, () => context.handle(requestOfCall(call), context.sleep));
      if (response === undefined) throw new Error(CONNECTION_LOST);
      return structuredClone(response.envelope);
    };
    const tools = {
      now: context.now,
      sleep: (ms: unknown) => duringLaunch(context, () => context.sleep(Number(ms) || 0)),
      ...(this.usesHttp ? {} : { handle }),
    };
    try {
      return JSON.parse(JSON.stringify((await this.#module.launch(task, tools)) ?? null));
    } catch (error) {
      throw new ImplementationError(`launch failed: ${errorText(error)}`);
    }
  }

  async close(): Promise<void> {}
}

/** The error that a client gets for a lost request or response. */
export const CONNECTION_LOST = "connection closed before a response arrived";

/**
 * Awaits work, but never settles after the launch has ended. Otherwise, a client that retries forever would
 * block the thread.
 */
async function duringLaunch<Value>({ signal }: LaunchContext, work: () => Promise<Value>): Promise<Value> {
  const never = () => new Promise<never>(() => {});
  if (signal.aborted) await never();
  try {
    return await work();
  } finally {
    if (signal.aborted) await never();
  }
}
