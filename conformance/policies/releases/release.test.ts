import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadClientData } from "../../contract/client/client-data.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { SEARCHES } from "../../contract/searches.ts";
import { searchId } from "../../engine/client/search-result.ts";
import { propertyId } from "../../engine/search/property-result.ts";
import { kitVersion, PATHS } from "../../paths.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { freeze } from "./freeze.ts";
import { findRelease, type Release, readRelease, releasedSuites, releasedVersions } from "./release.ts";
import { releaseText } from "./release-text.ts";
import { vectorDigests } from "./vector-digests.ts";

const services = loadKitData();
const clients = loadClientData();
const { search } = clients.contract;

/** Both sides of the contract, with what would be frozen of them now. */
const SIDES = [
  {
    side: "services",
    folder: PATHS.releases,
    suites: services.suites,
    least: { vectors: 350, rules: 100 },
    now: freeze(
      kitVersion(),
      services.contract,
      services.suites.digest,
      vectorDigests(PATHS.suites),
      SEARCHES.properties.map(propertyId),
    ),
  },
  {
    side: "clients",
    folder: PATHS.clientReleases,
    suites: clients.suites,
    least: { vectors: 300, rules: 30 },
    now: freeze(
      kitVersion(),
      clients.contract,
      clients.suites.digest,
      vectorDigests(PATHS.clientSuites),
      search === undefined ? [] : [searchId(search)],
    ),
  },
];

for (const { side, suites, now } of SIDES) {
  test(`every vector for ${side} has a digest`, () => {
    const ids: readonly string[] = suites.vectors.map(({ id }) => id);
    assert.deepEqual([...now.vectors.keys()].sort(), [...ids].sort());
  });

  test(`a frozen set for ${side} is read as it was written`, (context) => {
    const folder = temporaryDirectory(context);
    writeFileSync(join(folder, `${now.version}.yaml`), releaseText(now));
    assert.deepEqual(findRelease(`partner-preview-1@${now.version}`, "partner-preview-1", folder), now);
  });
}

test("a set that was never frozen is told with those that were", (context) => {
  const folder = temporaryDirectory(context);
  const find = (name: string) => () => findRelease(name, "partner-preview-1", folder);
  assert.throws(find("partner-preview-1@0.1.0"), {
    name: "DataError",
    message: "--suite: there is no suite partner-preview-1@0.1.0; none was released yet",
  });
  for (const version of ["0.10.0", "0.9.0"]) writeFileSync(join(folder, `${version}.yaml`), "");
  assert.throws(find("partner-preview-1@0.9.1"), {
    message:
      '--suite: there is no suite partner-preview-1@0.9.1 (did you mean "partner-preview-1@0.9.0"?); there are partner-preview-1@0.9.0, partner-preview-1@0.10.0',
  });
  for (const name of ["partner-preview-1", "partner-preview-2@0.9.0", "partner-preview-1@../0.9.0", "@", ""])
    assert.throws(find(name), { name: "DataError" }, name);
});

test("the suites that were released are offered, the oldest first", (context) => {
  const folder = temporaryDirectory(context);
  assert.deepEqual(releasedSuites("partner-preview-1", folder), []);
  assert.deepEqual(releasedSuites("partner-preview-1", join(folder, "nowhere")), []);
  for (const version of ["0.10.0", "0.9.0"]) writeFileSync(join(folder, `${version}.yaml`), "");
  const suites = ["partner-preview-1@0.9.0", "partner-preview-1@0.10.0"];
  assert.deepEqual(releasedSuites("partner-preview-1", folder), suites);
});

/** Ids of vectors, rules and properties that a release has and that are gone or changed now; what was added does not matter. */
function changedSince(then: Release, now: Release): readonly string[] {
  const gone = (old: ReadonlyMap<string, string>, since: ReadonlyMap<string, string>) =>
    [...old].filter(([id, value]) => since.get(id) !== value).map(([id]) => id);
  return [
    ...gone(then.vectors, now.vectors),
    ...gone(then.rules, now.rules),
    ...[...then.properties].filter((id) => !now.properties.has(id)),
  ];
}

for (const { side, folder, now, least } of SIDES) {
  test(`a set that is frozen for ${side} now has all that counts, and tells of what changes`, () => {
    assert.deepEqual(changedSince(now, now), []);
    const [vector = "", rule = "", property = ""] = [now.vectors, now.rules, now.properties].map(
      (all) => [...all.keys()][0],
    );
    const vectors = new Map([...now.vectors, [vector, "another digest"], ["new/one", "its digest"]]);
    const rules = new Map([...now.rules].filter(([id]) => id !== rule));
    const later = { ...now, vectors, rules, properties: new Set<string>() };
    assert.deepEqual(changedSince(now, later).slice(0, 3), [vector, rule, property]);
    assert.ok(now.vectors.size >= least.vectors && now.rules.size >= least.rules);
    assert.ok(now.properties.size > 0);
  });

  // None before the first release.
  const versions = releasedVersions(folder);
  for (const version of versions) {
    test(`the frozen set of ${version} for ${side} can be read`, () => {
      assert.equal(readRelease(join(folder, `${version}.yaml`)).version, version);
    });
  }
  const newest = versions.at(-1);
  if (newest !== undefined) {
    test(`nothing that counts in the newest frozen set for ${side} has changed or gone`, () => {
      const advice = `raise the version and freeze it; or, while ${newest} is not out, npm run freeze -- --again`;
      assert.deepEqual(changedSince(readRelease(join(folder, `${newest}.yaml`)), now), [], advice);
    });
  }
}
