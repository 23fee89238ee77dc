import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Measure } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { asCommand } from "../recorded.ts";

const OVER_HTTP = fileURLToPath(new URL("../services/client-over-http.ts", import.meta.url));
const EXAMPLE = fileURLToPath(
  new URL("../../../conformance/examples/clients/typescript/main.ts", import.meta.url),
);
/** Every vector, and no random scripts. */
const VECTORS = ["--runs", "0"];

/** What a client developer waits for who has a module. */
export const clientModule: Measure = {
  id: "client/module",
  title: "every vector of clients over HTTP, the TypeScript example as a module",
  unit: "s",
  bar: { atMost: 5 },
  why: [
    "The kit and the client's process wait for each other at each request; the rest is spread over all parts. On a machine on which a",
    "bare Node process takes 50 ms the bar is kept.",
  ],
  async open() {
    const sample = () => runWell(kit("client", "--module", OVER_HTTP, ...VECTORS));
    return {
      sides: [{ name: "kit", unit: "s", sample }],
      figure: ({ kit: seconds = Number.NaN }) => seconds,
    };
  },
};

/** The same where each launch starts a process: a program without dependencies, as teams ship one. */
export const clientProcess: Measure = {
  id: "client/process",
  title: "every vector of clients over HTTP, the same as one process a launch",
  unit: "s",
  bar: { atMost: 30 },
  why: [
    "Some 350 launches take a process each, and a bare Node process is most of each. On a machine on which that takes 50 ms the bar is",
    "kept.",
  ],
  async open() {
    const folder = mkdtempSync(join(tmpdir(), "launch-draft-bench-"));
    const outfile = join(folder, "client.mjs");
    await build({ entryPoints: [EXAMPLE], outfile, bundle: true, platform: "node", format: "esm" });
    const command = asCommand([process.execPath, outfile]);
    return {
      sides: [
        {
          name: "kit",
          unit: "s",
          sample: () => runWell(kit("client", "--command", command, ...VECTORS)),
        },
      ],
      figure: ({ kit: seconds = Number.NaN }) => seconds,
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};
