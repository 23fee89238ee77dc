import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { PATHS } from "../../../conformance/paths.ts";
import { type Measure, ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { linesOfDefaultRun } from "../recorded.ts";
import type * as seeded from "../services/seeded.ts";

/** Below `node_modules`, so that the module finds the packages that the reference uses. */
const FOLDER = join(PATHS.root, "node_modules", ".cache", "bench");

/** A default run over a module in a process of its own, beside what the module itself spends in `handle` for the same. */
export const defaultRunModule: Measure = {
  id: "default-run/module",
  title: "default run over a module / the time that the module itself spends in `handle`",
  bar: { atMost: 2 },
  why: [
    "The kit makes and signs each request, asks the model what may come, judges what comes, and takes in what it says. That takes four",
    "to five times what the module needs, in process and in one thread. The bar would leave it one time: less than a signature takes.",
    "1,500 requests are asked one after the other, since others might hide a fault, and both processes wake each other for each.",
  ],
  async open() {
    const file = await moduleWithNodesVerifier();
    const module = (await import(pathToFileURL(file).href)) as typeof seeded;
    const programs = await linesOfDefaultRun();
    return {
      sides: [
        { name: "kit", unit: "s", sample: () => runWell(kit("run", "--module", file)) },
        { name: "handle", unit: "s", sample: async () => ({ value: handleAll(module, programs) }) },
      ],
      figure: ratio("kit", "handle"),
      close: () => rmSync(file),
    };
  },
};

/** The seeded reference, whose signatures node:crypto alone looks at, as one file. */
async function moduleWithNodesVerifier(): Promise<string> {
  const folder = fileURLToPath(new URL("../services", import.meta.url));
  const outfile = join(FOLDER, `module-${process.pid}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  await build({
    entryPoints: [join(folder, "seeded.ts")],
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "silent",
    plugins: [
      {
        name: "verifier",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/ed25519\.ts$/ }, () => ({ path: join(folder, "nodes-verifier.ts") })),
      },
    ],
  });
  return outfile;
}

function handleAll(module: typeof seeded, programs: readonly (readonly string[])[]): number {
  return programs.reduce((sum, lines) => sum + handleLines(module, lines), 0);
}

/** Sends what was recorded to services of this process, and gives the seconds that they took to answer. */
function handleLines({ createService, reseed }: typeof seeded, lines: readonly string[]): number {
  reseed();
  let clock = { nowMs: 0 };
  let service: ReturnType<typeof createService> | undefined;
  let tookMs = 0;
  for (const line of lines) {
    const { method, params } = JSON.parse(line) as { method: string; params: Record<string, never> };
    if (method === "start") {
      const own = { nowMs: Number(params["nowMs"]) };
      clock = own;
      service = createService({ now: () => own.nowMs });
    }
    if (method === "advance") clock.nowMs += Number(params["ms"]);
    if (method !== "handle") continue;
    const { bodyBase64 } = params;
    const body =
      bodyBase64 === undefined ? params["body"] : new Uint8Array(Buffer.from(bodyBase64, "base64"));
    const startedAt = performance.now();
    service?.handle({ ...params, body });
    tookMs += performance.now() - startedAt;
  }
  return tookMs / 1000;
}
