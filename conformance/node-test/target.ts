import type { Adapter } from "../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { type AdapterOptions, selectAdapter, WAYS } from "../cli/select-adapter.ts";

/** An implementation that is reached as from the command line, by options of the same names. */
export type RemoteTarget = Partial<AdapterOptions>;

/** The implementation under test: one that is reached from outside, or a service in the test file itself. */
export type Target = RemoteTarget | ServiceModule;

/**
 * Makes sure that there is an implementation to test. The command line takes the bundled reference where none is
 * named; in somebody's own tests that would be a green that says nothing about them.
 * @throws {TypeError} where none is named
 */
export function checkTarget(target: Target): void {
  if (isService(target) || WAYS.some((way) => target[way] !== undefined)) return;
  throw new TypeError(`conformanceTests: give one of ${WAYS.join(", ")} or createService`);
}

/** Whether vectors share one service on a real clock, so that they can and must wait side by side. */
export function isShared(target: Target): boolean {
  return !isService(target) && target.url !== undefined && target.controlUrl === undefined;
}

/** The adapter for an implementation. */
export async function targetAdapter(target: Target): Promise<Adapter> {
  if (isService(target)) return inProcessAdapter(target, { name: "createService" });
  const { adapter } = await selectAdapter({ jobs: 1, timeoutMs: 5_000, ...target }, () => {});
  return adapter;
}

function isService(target: Target): target is ServiceModule {
  return "createService" in target && typeof target.createService === "function";
}
