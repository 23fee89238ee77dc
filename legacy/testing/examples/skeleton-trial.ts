import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stdioAdapter } from "../../adapters/stdio.ts";
import { initCommand } from "../../cli/init-command.ts";
import { type Language, SKELETONS, type Skeleton } from "../../cli/skeletons.ts";
import { SERVED } from "../adapters/served-contract.ts";
import { keptOutput } from "../output.ts";
import { type CliOutcome, runCli } from "../run-cli.ts";
import { CANNED_PROFILE } from "./canned-profile.ts";
import { holdProtocol } from "./hold-protocol.ts";
import { holdStatements } from "./hold-statements.ts";

/** How the tests try the skeleton of a language. */
export interface Trial {
  readonly language: Language;
  /** File of the skeleton that has the service. */
  readonly file: string;
  /** Ending of the probed service's name. */
  readonly probed: string;
}

/** What of the platform profile a service without any other route can keep. */
const KEPT = ["constants*", "keys-hash-and-signing/*", "same-twice", "same-later/*", "requests-in-flight"];

/** The vector that a skeleton fails first, and what it is told. */
const FIRST_RED = /^FAILED {2}platform\/constants\/between-seconds .*\n {2}PLATFORM-5 /m;
const GOT = /^ {2}got {7}200 \{"mode":"OFFLINE_PROTOTYPE","productionApproved":false\}$/m;

/** Asserts that a run of a skeleton as it was written is red for the right reason. */
export function assertRed({ status, stdout, stderr }: CliOutcome): void {
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout, FIRST_RED);
  assert.match(stdout, GOT);
}

/** The words that choose the vectors which a canned profile passes. */
export const ONLY_KEPT = KEPT.flatMap((name) => ["--only", `platform/${name}`]);

/** The text of a skeleton, with a service that knows the probes in the place of its part 1. */
export function withProbes(text: string, probed: string): string {
  const file = fileURLToPath(new URL(`./probed/${probed}`, import.meta.url));
  const profile = JSON.stringify(CANNED_PROFILE);
  const service = readFileSync(file, "utf8")
    .replace("PROFILE_IN_APOSTROPHES", profile.replaceAll('"', "'"))
    .replace("PROFILE", profile);
  const part = /(\W+ ---- 1\. YOUR SERVICE: [^\n]*\n\n+)[\s\S]*?(?=\n[#/]+ ---- 2\. )/;
  assert.match(text, part);
  return text.replace(part, (_, heading: string) => `${heading}${service}`);
}

/** Builds the skeleton of a language, and runs the kit on it: as it was written, and around a service that knows the probes. */
export async function trySkeleton(trial: Trial, folder: string): Promise<void> {
  const { language, file, probed } = trial;
  assert.equal(initCommand({ directory: folder, language }, keptOutput()), 0);
  const skeleton: Skeleton = SKELETONS[language];
  const { build } = skeleton;
  const make = () => build === undefined || execFileSync("sh", ["-c", build], { cwd: folder, stdio: "pipe" });
  const command = commandOf(skeleton, folder);
  make();
  assertRed(await runCli(["run", "--command", command, "--only", "platform/*", "--bail"]));

  const path = join(folder, file);
  writeFileSync(path, withProbes(readFileSync(path, "utf8"), probed));
  make();
  await holdProtocol(command);
  const adapter = stdioAdapter({ command: `exec ${command}` });
  try {
    await holdStatements(await adapter.connect(SERVED));
  } finally {
    await adapter.close();
  }
  const kept = await runCli(["run", "--command", command, ...ONLY_KEPT]);
  assert.equal(kept.status, 0, kept.stdout + kept.stderr);
}

/** The command that starts a skeleton in a folder, as its README gives it to `run`. */
function commandOf({ runOptions }: Skeleton, folder: string): string {
  const [, quoted = ""] = /^--command (.*)$/.exec(runOptions((file) => join(folder, file))) ?? [];
  return execFileSync("sh", ["-c", `printf %s ${quoted}`], { encoding: "utf8" });
}
