import { pathToFileURL } from "node:url";
import type { Connection } from "../../../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../../../adapters/in-process.ts";
import { PATHS } from "../../../paths.ts";
import type { Store } from "../../operations.ts";

/** What the reference can be told besides what every service is. */
interface ReferenceModule extends Omit<ServiceModule, "createService"> {
  createService(options: {
    readonly now: () => number;
    readonly random: (bytes: number) => Uint8Array;
    readonly capacity: Readonly<Partial<Record<Store, number>>>;
  }): ReturnType<ServiceModule["createService"]>;
}

/** What a reference is opened with. */
export interface ReferenceOptions {
  /** Gives so many bytes, which belong to the seed. */
  readonly random: (bytes: number) => Uint8Array;
  /** The most that it holds, where that is little. */
  readonly capacity: Readonly<Partial<Record<Store, number>>>;
}

/** Opens a connection to a bundled reference of its own, in this process. It has to be started. */
export async function openReference({ random, capacity }: ReferenceOptions): Promise<Connection> {
  const reference = (await import(pathToFileURL(PATHS.reference).href)) as ReferenceModule;
  const { createService, implementation, capabilities, facts } = reference;
  const adapter = inProcessAdapter(
    {
      implementation,
      capabilities,
      facts,
      createService: ({ now }) => createService({ now, random, capacity }),
    },
    { name: "the reference" },
  );
  return adapter.connect();
}
