// Writes what counts in this version of the kit as frozen sets, vectors/releases/VERSION.yaml for services and
// vectors/client-releases/VERSION.yaml for clients: the last thing before a release.
// Usage: freeze.ts [--again]; --again writes anew the sets of a version that is not out yet.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadClientData } from "../conformance/contract/client/client-data.ts";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { SEARCHES } from "../conformance/contract/searches.ts";
import { searchId } from "../conformance/engine/client/search-result.ts";
import { propertyId } from "../conformance/engine/search/property-result.ts";
import { kitVersion, PATHS } from "../conformance/paths.ts";
import { freeze } from "../conformance/policies/releases/freeze.ts";
import { releaseText } from "../conformance/policies/releases/release-text.ts";
import { suiteName } from "../conformance/policies/releases/suite-name.ts";
import { vectorDigests } from "../conformance/policies/releases/vector-digests.ts";

const version = kitVersion();
const services = loadKitData();
const clients = loadClientData();
const { search } = clients.contract;
const sides = [
  {
    folder: PATHS.releases,
    about: "for services",
    release: freeze(
      version,
      services.contract,
      services.suites.digest,
      vectorDigests(PATHS.suites),
      SEARCHES.properties.map(propertyId),
    ),
  },
  {
    folder: PATHS.clientReleases,
    about: "for clients",
    release: freeze(
      version,
      clients.contract,
      clients.suites.digest,
      vectorDigests(PATHS.clientSuites),
      search === undefined ? [] : [searchId(search)],
    ),
  },
].map((side) => ({ ...side, file: join(side.folder, `${version}.yaml`) }));
if (sides.some(({ file }) => existsSync(file)) && !process.argv.includes("--again")) {
  process.stderr.write(
    `${version} is frozen already: raise the version in package.json, or give --again while it is not out yet\n`,
  );
  process.exit(2);
}
for (const { folder, file, about, release } of sides) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, releaseText(release));
  process.stdout.write(
    `${suiteName(services.contract.id, version)} ${about}: ${release.rules.size} rules, ${release.vectors.size} vectors, ${release.properties.size} properties\n`,
  );
}
