import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { shellQuote } from "../../conformance/reports/reproduction-command.ts";
import { started } from "../started.ts";
import { type Condition, FRESH } from "./conditions.ts";

/** A way to reach a service, and what the kit's command line must say to take it. */
export interface Door {
  readonly name: string;
  /** Whether the kit may start several programs there, of which each answers while others wait. */
  readonly startsSeveral?: true;
  /** Whether a condition can be had there. */
  has(condition: Condition): boolean;
  open(condition: Condition): Promise<Opened>;
}

/** A service that can be judged, until it is closed. */
export interface Opened {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SERVICE = here("service.ts");
const TSX = import.meta.resolve("tsx");
const LINES = [
  process.execPath,
  "--import",
  TSX,
  here("../../conformance/examples/typescript/skeleton-stdio.ts"),
  SERVICE,
];
/** Room for all vectors, and more than one run, on one service. */
const ROOM = 50_000;

const needsNoFront = ({ front }: Condition) => front === undefined;

/** Name of the adapter that reaches the example in Python, another implementation than the others reach. */
export const PYTHON = "Python over stdio";

/** Every way to reach a service. */
export const DOORS: readonly Door[] = [
  {
    name: "module",
    startsSeveral: true,
    has: needsNoFront,
    open: async ({ name }) => opened(["--module", SERVICE], { environment: { FIELD_CONDITION: name } }),
  },
  {
    name: "stdio",
    startsSeveral: true,
    has: needsNoFront,
    open: async ({ name }) =>
      opened(["--command", LINES.map(shellQuote).join(" ")], { environment: { FIELD_CONDITION: name } }),
  },
  { name: "socket", has: needsNoFront, open: openSocket },
  {
    name: "HTTP with control",
    // A run shuts such a server down.
    has: ({ judgedBefore }) => judgedBefore === undefined,
    open: (condition) => openHttp(condition, "--control"),
  },
  {
    name: "HTTP",
    // What an adapter lacks it says by a control URL; without one there is no restart in any case.
    has: ({ lacks }) => lacks === undefined,
    open: (condition) => openHttp(condition, "--capacity", String(ROOM)),
  },
  {
    name: PYTHON,
    has: ({ name }) => name === FRESH,
    open: async () =>
      opened([
        "--command",
        ["/usr/bin/python3", here("../../conformance/examples/python/adapter.py")].map(shellQuote).join(" "),
      ]),
  },
];

function opened(
  words: readonly string[],
  { environment = {}, close = async () => {} }: Partial<Omit<Opened, "words">> = {},
): Opened {
  return { words, environment, close };
}

/** A socket behind which each caller has a process of its own. */
async function openSocket({ name }: Condition): Promise<Opened> {
  const server = createServer((socket: Socket) => {
    const [command = "", ...words] = LINES;
    const environment = { ...process.env, FIELD_CONDITION: name };
    const child = spawn(command, words, { stdio: ["pipe", "pipe", "ignore"], env: environment });
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    socket.on("error", () => child.kill());
    socket.on("close", () => child.kill());
    child.stdin.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  return opened(["--attach", `127.0.0.1:${port}`], {
    async close() {
      server.close();
      await once(server, "close");
    },
  });
}

/** The reference as `serve` offers it, behind what stands before it. */
async function openHttp({ name }: Condition, ...options: readonly string[]): Promise<Opened> {
  const bin = here("../../bin/launch-draft-conformance.mjs");
  const served = await started([bin, "serve", ...options]);
  const { url, controlUrl, metadataHosts } = JSON.parse(served.line);
  const front = await started(["--import", TSX, here("front.ts"), name, new URL(url).port]);
  const through = (address: string) => {
    const moved = new URL(address);
    moved.port = front.line;
    return moved.href;
  };
  const reached =
    controlUrl === undefined
      ? ["--metadata-hosts", ...metadataHosts]
      : ["--control-url", through(controlUrl)];
  return opened(["--url", through(url), ...reached], {
    async close() {
      await Promise.all([front.stop(), served.stop()]);
    },
  });
}
