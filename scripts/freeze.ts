// Writes what counts in this version of the kit as a frozen set, vectors/releases/VERSION.yaml: the last thing before a
// release. Usage: freeze.ts [--again]; --again writes anew the set of a version that is not out yet.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { SEARCHES } from "../conformance/contract/searches.ts";
import { propertyId } from "../conformance/engine/search/property-result.ts";
import { kitVersion, PATHS } from "../conformance/paths.ts";
import { freeze } from "../conformance/policies/releases/freeze.ts";
import { releaseText } from "../conformance/policies/releases/release-text.ts";
import { suiteName } from "../conformance/policies/releases/suite-name.ts";
import { vectorDigests } from "../conformance/policies/releases/vector-digests.ts";

const version = kitVersion();
const file = join(PATHS.releases, `${version}.yaml`);
if (existsSync(file) && !process.argv.includes("--again")) {
  process.stderr.write(
    `${version} is frozen already: raise the version in package.json, or give --again while it is not out yet\n`,
  );
  process.exit(2);
}
const { contract, suites } = loadKitData();
const release = freeze(
  version,
  contract,
  suites.digest,
  vectorDigests(PATHS.suites),
  SEARCHES.properties.map(propertyId),
);
mkdirSync(PATHS.releases, { recursive: true });
writeFileSync(file, releaseText(release));
process.stdout.write(
  `${suiteName(contract.id, version)}: ${release.rules.size} rules, ${release.vectors.size} vectors, ${release.properties.size} properties\n`,
);
