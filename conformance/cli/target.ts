/** Opens the adapter to the service that the options name. */
import { extname, resolve } from "node:path";
import { type Adapter, ImplementationError } from "../adapters/adapter.ts";
import type { ServiceModule } from "../adapters/in-process.ts";
import { readInfo } from "../adapters/info.ts";
import { DEFAULT_OPTIONS } from "../adapters/protocol.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { memberNamesOfProbe } from "../contract/response-schemas.ts";
import { DataError, readDataFile } from "../data/data-file.ts";
import { errorText } from "../data/text.ts";
import type { Edge } from "./edge.ts";
import { type Options, UsageError } from "./options.ts";

const WAIT_FOR_MS = 60_000;
const RETRY_MS = 250;

/**
 * @throws {UsageError} if no service is given
 * @throws {DataError} if the facts are invalid
 * @throws {ImplementationError} if the service cannot be reached, or its info is invalid
 */
export async function openTarget(options: Options, edge: Edge): Promise<Adapter> {
  if (edge.openService !== undefined) return edge.openService();
  const { module, command, url, env, timeout, "max-wait": maxWait } = options;
  const shared = {
    contract: SERVED_CONTRACT,
    clock: edge.clock,
    timeoutMs: timeout ?? DEFAULT_OPTIONS.timeoutMs,
    maxWaitMs: maxWait ?? DEFAULT_OPTIONS.maxWaitMs,
  };
  if (module !== undefined || command !== undefined) {
    const { openProgram } = await import("../adapters/stdio.ts");
    const program = command === undefined ? { module: resolve(module ?? "") } : { command };
    return openProgram({ ...shared, env, ...program });
  }
  if (url !== undefined) {
    const facts = statedFacts(options);
    if (options["wait-for"] !== undefined) await waitFor(options["wait-for"], edge);
    const { openServer } = await import("../adapters/http.ts");
    const members = options.force === true ? undefined : memberNamesOfProbe();
    return openServer({ ...shared, url, controlUrl: options["control-url"], facts, members });
  }
  if (options.reference !== true)
    throw new UsageError(
      "no service is given; add --module <file>, --command <cmd>, --url <url>, or --reference",
    );
  const { InProcessAdapter } = await import("../adapters/in-process.ts");
  return new InProcessAdapter(await loadReference("service"), "the reference");
}

/**
 * Returns the target for further threads, or undefined if only this thread can play tests: on a real clock,
 * connections share a thread, and all tests of a server share its service.
 */
export function workerTarget(options: Options, edge: Edge, { info, hasSeparateServices }: Adapter) {
  const { clock, restart } = info.capabilities;
  if (edge.openService !== undefined || clock === "real" || !restart || !hasSeparateServices)
    return undefined;
  const { module, command, env, timeout } = options;
  const limits = { timeoutMs: timeout ?? DEFAULT_OPTIONS.timeoutMs, maxWaitMs: DEFAULT_OPTIONS.maxWaitMs };
  if (module !== undefined) return { ...limits, env, module: resolve(module) };
  return command === undefined ? { reference: referenceUrl("service") } : { ...limits, env, command };
}

function referenceUrl(name: string): string {
  return new URL(`../../reference/${name}${extname(import.meta.filename)}`, import.meta.url).href;
}

/** Loads a module of the bundled reference, by its name without extension. */
export function loadReference<Module = ServiceModule>(name: string): Promise<Module> {
  return import(referenceUrl(name));
}

/** Returns the facts that the user states about a server without a control URL. */
function statedFacts({ "control-url": controlUrl, facts: file, "metadata-hosts": hosts }: Options): object {
  if (controlUrl !== undefined) return {};
  const facts = {
    ...(file === undefined ? {} : (readDataFile(file).value as object)),
    ...(hosts && { metadataHosts: hosts }),
  };
  if (!("metadataHosts" in facts))
    throw new UsageError("--url: metadata hosts are missing; add --metadata-hosts or --facts");
  try {
    const implementation = { name: "server", version: "unversioned" };
    readInfo({ implementation, facts }, file ?? "--metadata-hosts", "http", true);
    return facts;
  } catch (error) {
    throw error instanceof ImplementationError ? new DataError(error.message) : error;
  }
}

/** Waits until a URL responds with any status. @throws {ImplementationError} */
async function waitFor(url: string, { clock }: Edge): Promise<void> {
  const endMs = clock.now() + WAIT_FOR_MS;
  for (;;) {
    try {
      await fetch(url, { signal: AbortSignal.timeout(WAIT_FOR_MS) });
      return;
    } catch (error) {
      if (clock.now() >= endMs) {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        throw new ImplementationError(`--wait-for ${url}: no response in 60 s: ${errorText(cause)}`);
      }
      await clock.sleep(RETRY_MS);
    }
  }
}
