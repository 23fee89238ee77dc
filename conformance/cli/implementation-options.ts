import { type Command, Option } from "commander";
import { DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { collect, duration, positiveNumber, salt, seed } from "./option-values.ts";
import { REPORTERS } from "./reporters.ts";

/** The options of every command that drives an implementation. */
export function reaching(command: Command) {
  return command
    .option("--module <file>", "a JavaScript or TypeScript module that exports createService")
    .option("--command <cmd>", "a command that speaks the adapter protocol on standard input and output")
    .option(
      "--attach <host:port>",
      "a process on this machine that speaks the adapter protocol over a socket",
    )
    .option("--url <url>", "a running service, by the contract's HTTP mapping")
    .option("--control-url <url>", "with --url: where the adapter protocol's other messages are posted")
    .option("--facts <file>", "with --url: the adapter protocol's facts, as YAML or JSON")
    .option("--metadata-hosts <host...>", "with --url: the two metadata gateway hosts")
    .option("--ca-file <file>", "with --url: certificates to trust, PEM")
    .option("--allow-self-signed", "with --url: trust any certificate of this machine")
    .addOption(inTime("--timeout <duration>", "time limit for one call; 0 for none").default(5000, "5s"));
}

/** The options of every command that judges an implementation. */
export function judging(command: Command) {
  const driving = reaching(command)
    .option("--only <glob...>", "only vectors and properties whose id matches", [])
    .option("--seed <n>", "seed of all key pairs and random cases, or `random`", seed, DEFAULT_SEED)
    .option(
      "--salt <text>",
      "sets this run's key pairs and keys apart from those of others; drawn unless told where the service outlives the run",
      salt,
    )
    .option("--bail", "stop at the first failure", false)
    .option(
      "--jobs <n>",
      "processes or threads side by side, with --command or --module: 1 unless told (the bundled reference: one for each core)",
      positiveNumber,
    )
    .addOption(inTime("--max-wait <duration>", "longest wait on a real clock").default(90_000, "90s"));
  return telling(driving);
}

/** The options of every command that tells of a run as it comes to its end. */
export function telling(command: Command) {
  return command
    .option(
      "--reporter <name[=file]>",
      `${REPORTERS.join(", ")}, or any reporter for node:test (a package, or a ./file); may be given several times`,
      collect,
      [],
    )
    .option("--subject <file>", "what is under test, a file or NAME@sha256:HEX, for --reporter in-toto")
    .option("--verbose", "everything: each choice, each test that was skipped or failed alike", false);
}

/** The options of every command that holds what it judges to more than the contract, or to less than all of it. */
export function holding(command: Command) {
  return command
    .option(
      "--allow-untried <name...>",
      "accept that these required rules are not tried, or what is untried for want of a capability: RULE-ID, capability:NAME, globs of them",
      [],
    )
    .option(
      "--baseline <file>",
      "known failures, YAML: they do not fail the run; stale and expired entries do",
    )
    .option("--update-baseline", "write every failure of this run into the baseline's file")
    .option("--choices <file>", "earlier observed choices, YAML: one that changed fails the run")
    .option("--update-choices", "write the choices that this run observed into the choices' file");
}

export function inTime(flags: string, description: string): Option {
  return new Option(flags, description).argParser(duration);
}
