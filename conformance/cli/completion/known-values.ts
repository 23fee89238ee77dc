import { loadKitData } from "../../contract/kit-data.ts";
import { CONTRACT_ID } from "../../contract/operations.ts";
import { everyId } from "../../engine/search/search-ids.ts";
import { CAPABILITIES } from "../../engine/vectors/need.ts";
import { loadBank } from "../../mutants/load-bank.ts";
import { PATHS } from "../../paths.ts";
import { releasedVersions } from "../../policies/releases/release.ts";
import { suiteName } from "../../policies/releases/suite-name.ts";
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
    "--suite": () => suiteNames(PATHS.releases),
    "--allow-untried": () => [...CAPABILITIES, ...loadKitData().contract.rules.keys()],
    "client --only": async () => (await clientData()).ids(),
    "client --allow-untried": async () => [...(await clientData()).contract.rules.keys()],
    "client --suite": () => suiteNames(PATHS.clientReleases),
    "run targets": () => targets(cwd),
    "explain id": async () => {
      const { contract } = loadKitData();
      const { broken, legal } = loadBank(contract);
      const own = [...contract.rules.keys(), ...contract.points.keys(), ...(await ids())];
      return [...own, ...[...broken, ...legal].map(({ id }) => id), ...clientIds()];
    },
  };
}

function suiteNames(folder: string): readonly string[] {
  return releasedVersions(folder).map((version) => suiteName(CONTRACT_ID, version));
}

async function ids(): Promise<readonly string[]> {
  const { contract, suites } = loadKitData();
  return everyId(contract, suites.vectors);
}

async function targets(cwd: string): Promise<readonly string[]> {
  const file = findConfig(cwd);
  return file === undefined ? [] : Object.keys((await readConfig(file)).targets);
}
