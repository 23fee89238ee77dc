/** Lets Stryker mutate the reference, judges each mutant with the kit, and holds what survives to its reasons. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import picomatch from "picomatch";
import { stringify } from "yaml";
import { DataError } from "../conformance/engine/data/data-error.ts";
import { mutatedReference } from "../conformance/mutants/generated/generate.ts";
import { judgeMutants } from "../conformance/mutants/generated/judge-mutants.ts";
import { mutationSummary } from "../conformance/mutants/generated/mutation-summary.ts";
import { loadReasons } from "../conformance/mutants/generated/reasons.ts";
import { endWith } from "./end-with.ts";

interface Options {
  readonly only: readonly string[];
  readonly jobs: number;
}

const SCORE = fileURLToPath(new URL("../conformance/mutants/generated/score.yaml", import.meta.url));

const options = new Command("mutation")
  .description(
    "Judges every mutant that Stryker makes of the reference; 0 where each survivor has a reason, and each reason a survivor.",
  )
  .option("--only <glob...>", "only mutants of these files: draft.ts, b*.ts", [])
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .parse()
  .opts<Options>();

await endWith(main(options));

async function main({ only, jobs: workers }: Options): Promise<number> {
  const isChosen = only.length === 0 ? () => true : picomatch([...only]);
  const reasons = new Map([...loadReasons()].filter(([key]) => isChosen(fileOf(key))));
  const mutants = (await mutatedReference()).mutants.filter(({ file }) => isChosen(file));
  if (mutants.length === 0) throw new DataError("--only", "matches no file of the reference");
  const judged = await judgeMutants(mutants, workers, onProgress);
  const { text, score, good } = mutationSummary(judged, reasons);
  process.stdout.write(`${text}\n`);
  if (only.length === 0) writeFileSync(SCORE, stringify(score));
  return good ? 0 : 1;
}

function fileOf(key: string): string {
  const [file = ""] = JSON.parse(key) as readonly string[];
  return file;
}

function onProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(done === total ? "\r\u001b[K" : `\r${done}/${total}`);
}
