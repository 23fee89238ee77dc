import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { METADATA_HOSTS } from "../../../reference/profile.ts";
import { type Measure, ratio, type Side } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { serveSeeded } from "../recorded.ts";
import { rival } from "../rivals.ts";
import { asArazzo, asCollection, asSuite, asVitest, asWorkflow, STEPS } from "../same-steps.ts";

/** What a run with few steps takes is the start of the process; so many more are what is measured. */
const FEW = 1;
const MANY = 200;

/** Room for what all runners ask for: nothing expires while they do. */
const CAPACITY = "200000";

interface Runner {
  readonly name: string;
  /** The words that play so many rounds of the steps; `write` puts a text into a file, and gives its path. */
  words(url: string, rounds: number, write: (name: string, text: string) => string): readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const KIT: Runner = {
  name: "kit",
  words: (url, rounds, write) =>
    kit(
      "replay",
      write(`same-${rounds}.yaml`, asSuite(rounds)),
      "--url",
      url,
      "--metadata-hosts",
      ...METADATA_HOSTS,
    ),
};
const NEWMAN: Runner = {
  name: "Newman",
  words: (url, rounds, write) => [
    rival("newman"),
    "run",
    write("same.json", asCollection(url)),
    "-n",
    `${rounds}`,
    "--reporters",
    "progress",
  ],
};
const STEP_CI: Runner = {
  name: "Step CI",
  words: (url, rounds, write) => [
    rival("stepci"),
    "run",
    write(`same-${rounds}.yml`, asWorkflow(url, rounds)),
  ],
  env: { STEPCI_DISABLE_ANALYTICS: "1" },
};
const RESPECT: Runner = {
  name: "Redocly Respect",
  words: (url, rounds, write) => [
    rival("redocly"),
    "respect",
    write(`same-${rounds}.arazzo.json`, asArazzo(url, rounds)),
    "--max-steps",
    "2000",
  ],
  env: { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
};
const VITEST: Runner = {
  name: "vitest",
  words: (url, rounds, write) => {
    const file = write(`same-${rounds}.test.mjs`, asVitest(url, rounds));
    return [rival("vitest"), "run", "--root", join(file, ".."), `same-${rounds}.test.mjs`];
  },
};

/** A step over HTTP, all checks made, beside the same step by another runner. */
function beside(id: string, runner: Runner, atMost: number, why?: Measure["why"]): Measure {
  return {
    id: `step-http/${id}`,
    title: `a step over HTTP / ${runner.name}'s`,
    bar: { atMost },
    ...(why === undefined ? {} : { why }),
    ofPrograms: true,
    async open() {
      const server = await serveSeeded("--capacity", CAPACITY);
      const parent = fileURLToPath(new URL("../rivals/node_modules/.cache", import.meta.url));
      mkdirSync(parent, { recursive: true });
      const folder = mkdtempSync(join(parent, "bench-"));
      const write = (name: string, text: string) => {
        const file = join(folder, name);
        writeFileSync(file, text);
        return file;
      };
      const side = ({ name, words, env = {} }: Runner): Side => ({
        name,
        unit: "s",
        async sample() {
          const few = await runWell(words(server.url, FEW, write), { env });
          const many = await runWell(words(server.url, MANY, write), { env });
          return { value: (many.value - few.value) / ((MANY - FEW) * STEPS.length) };
        },
      });
      return {
        sides: [side(KIT), side(runner)],
        figure: ratio(KIT.name, runner.name),
        async close() {
          await server.close();
          rmSync(folder, { recursive: true });
        },
      };
    },
  };
}

export const stepHttp: readonly Measure[] = [
  beside("newman", NEWMAN, 0.05),
  beside("step-ci", STEP_CI, 0.25, [
    "800 steps are over before the machine code of most functions is made: Node's client alone is half of a step's time in so",
    "young a process, and most of the rest goes on waiting for the server; all checks come to less than a tenth.",
  ]),
  beside("respect", RESPECT, 0.25, [
    "What the kit needs for a step is mostly the request, and what Respect needs its own work. So it hangs on the sockets: where a bare",
    "request takes a tenth of a millisecond the bar is kept, where it takes a third it is not.",
  ]),
  beside("vitest", VITEST, 0.7),
];
