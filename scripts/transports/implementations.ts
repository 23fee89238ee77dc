import { fileURLToPath } from "node:url";
import {
  type Adapter,
  type Facts,
  httpAdapter,
  inProcessAdapter,
  loadModule,
  stdioAdapter,
} from "../../conformance/index.ts";
import { shellQuote } from "../../conformance/reports/reproduction-command.ts";
import { started } from "../started.ts";

/** A way to an implementation, opened when its turn comes. */
export interface Transport {
  readonly implementation: string;
  readonly transport: string;
  open(): Promise<{ readonly adapter: Adapter; close(): Promise<void> }>;
}

const ROOT = new URL("../../", import.meta.url);
const path = (name: string) => fileURLToPath(new URL(name, ROOT));
const command = (...words: readonly string[]) => words.map(shellQuote).join(" ");
/** Room for all vectors on one service that lives for the whole run. */
const ROOM = 20_000;

/** The reference over every transport, and the example in Python. */
export const TRANSPORTS: readonly Transport[] = [
  {
    implementation: "reference",
    transport: "in process",
    open: async () =>
      ended(inProcessAdapter(await loadModule(path("reference/service.ts")), { name: "reference" })),
  },
  {
    implementation: "reference",
    transport: "stdio",
    open: async () =>
      ended(
        stdioAdapter({
          command: command(
            process.execPath,
            "--import",
            import.meta.resolve("tsx"),
            path("conformance/examples/typescript/skeleton-stdio.ts"),
            path("reference/service.ts"),
          ),
        }),
      ),
  },
  {
    implementation: "reference",
    transport: "HTTP, with control",
    async open() {
      const { url, controlUrl, stop } = await serve("--control");
      return ended(httpAdapter({ url, ...(controlUrl === undefined ? {} : { controlUrl }) }), stop);
    },
  },
  {
    implementation: "reference",
    transport: "HTTP, without control",
    async open() {
      const { url, stop } = await serve("--capacity", String(ROOM));
      const { facts } = await loadModule(path("reference/service.ts"));
      const { capacity: _, ...stated } = facts as Facts;
      return ended(httpAdapter({ url, facts: stated }), stop);
    },
  },
  {
    implementation: "Python",
    transport: "stdio",
    open: async () =>
      ended(
        stdioAdapter({
          command: command("/usr/bin/python3", path("conformance/examples/python/adapter.py")),
        }),
      ),
  },
];

function ended(adapter: Adapter, stop = async () => {}) {
  return {
    adapter,
    async close() {
      await adapter.close();
      await stop();
    },
  };
}

interface Served {
  readonly url: string;
  readonly controlUrl?: string;
  readonly stop: () => Promise<void>;
}

/** The reference as `serve` offers it, in a process of its own. */
async function serve(...options: readonly string[]): Promise<Served> {
  const { line, stop } = await started([path("bin/launch-draft-conformance.mjs"), "serve", ...options]);
  return { ...JSON.parse(line), stop };
}
