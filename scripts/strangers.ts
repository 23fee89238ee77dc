/**
 * Judges services that were written from the contract alone, in several languages (conformance/strangers): the right
 * ones and their legal variants must conform, the broken ones must not. Exits with 1 where the kit is wrong about any.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import picomatch from "picomatch";
import { PATHS } from "../conformance/paths.ts";
import { table } from "../conformance/reports/table.ts";
import { endWith } from "./end-with.ts";
import { type Judged, judgeVariant } from "./strangers/judge-variant.ts";
import { type Kind, loadVariants, type Variant } from "./strangers/variants.ts";

interface Options {
  readonly only: readonly string[];
  readonly kit: string;
  readonly services: string;
  readonly seed: number;
  readonly jobs: number;
}

const options = new Command("strangers")
  .description(
    "Judges services that were written from the contract alone; 0 where the kit is right about all.",
  )
  .option("--only <glob...>", "only services whose id matches: python/*, */right", [])
  .option("--kit <folder>", "checkout of the kit that judges, to compare two", PATHS.root)
  .option(
    "--services <folder>",
    "where the services are, a folder for each language",
    fileURLToPath(new URL("../conformance/strangers", import.meta.url)),
  )
  .option("--seed <n>", "seed of the runs", Number, 1)
  .option("--jobs <n>", "services side by side", Number, availableParallelism())
  .parse()
  .opts<Options>();

const KINDS: readonly Kind[] = ["right", "legal", "broken"];

await endWith(main(options));

async function main({ only, kit, services, seed, jobs }: Options): Promise<number> {
  const isChosen = only.length === 0 ? () => true : picomatch([...only]);
  const waiting = loadVariants(services).filter(({ id }) => isChosen(id));
  if (waiting.length === 0) {
    process.stderr.write("strangers: --only matches no service\n");
    return 2;
  }
  const judged: Judged[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const done = await judgeVariant(next, kit, seed);
      judged.push(done);
      if (!done.good) process.stdout.write(`${wrongLines(done)}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  process.stdout.write(`${summaryOf(judged)}\n`);
  return judged.every(({ good }) => good) ? 0 : 1;
}

function wrongLines({ variant, verdict, told }: Judged): string {
  return [
    `${variant.id} is ${variant.kind}, yet: ${verdict}`,
    `  ${variant.why}`,
    ...told.map((line) => `  - ${line}`),
  ].join("\n");
}

function summaryOf(judged: readonly Judged[]): string {
  const languageOf = ({ id }: Variant) => id.split("/")[0] ?? "";
  const languages = [...new Set(judged.map(({ variant }) => languageOf(variant)))].sort();
  const rows = languages.map((language) => {
    const own = judged.filter(({ variant }) => languageOf(variant) === language);
    return [language, ...KINDS.map((kind) => share(own.filter(({ variant }) => variant.kind === kind)))];
  });
  return table(["", "right: conforms", "legal: conforms", "broken: caught"], rows);
}

function share(judged: readonly Judged[]): string {
  return `${judged.filter(({ good }) => good).length} of ${judged.length}`;
}
