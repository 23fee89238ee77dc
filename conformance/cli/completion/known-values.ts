import { loadKitData } from "../../contract/kit-data.ts";
import { CONTRACT_ID } from "../../contract/operations.ts";
import { everyId } from "../../engine/run/run-with-threads.ts";
import { CAPABILITIES } from "../../engine/vectors/need.ts";
import { loadMutants } from "../../mutants/suite.ts";
import { PATHS } from "../../paths.ts";
import { releasedSuites } from "../../policies/releases/release.ts";
import { findConfig, readConfig } from "../config/read-config.ts";
import { clientIds } from "../explain-client.ts";
import { clientData } from "../judged-data.ts";
import { REPORTERS } from "../reporters.ts";
import type { KnownValues } from "./completions.ts";

/** What the kit knows to stand after its options and commands. @param cwd where a configuration file may name targets */
export function knownValues(cwd: string): KnownValues {
  return {
    "--reporter": () => REPORTERS,
    "--only": ids,
    "--seed": () => ["random"],
    "--suite": () => releasedSuites(CONTRACT_ID, PATHS.releases),
    "--allow-untried": () => [...CAPABILITIES, ...loadKitData().contract.rules.keys()],
    "client --only": async () => (await clientData()).ids(),
    "client --allow-untried": async () => [...(await clientData()).contract.rules.keys()],
    "client --suite": () => releasedSuites(CONTRACT_ID, PATHS.clientReleases),
    "run targets": () => targets(cwd),
    "explain id": async () => {
      const { contract } = loadKitData();
      const { broken, legal } = loadMutants("services", contract);
      const own = [...contract.rules.keys(), ...contract.points.keys(), ...(await ids())];
      return [...own, ...[...broken, ...legal].map(({ id }) => id), ...clientIds()];
    },
  };
}

async function ids(): Promise<readonly string[]> {
  const { contract, suites } = loadKitData();
  return everyId(contract, suites);
}

async function targets(cwd: string): Promise<readonly string[]> {
  const file = findConfig(cwd);
  return file === undefined ? [] : Object.keys((await readConfig(file)).targets);
}
