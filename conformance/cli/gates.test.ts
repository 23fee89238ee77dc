import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import { kitVersion } from "../paths.ts";
import { freeze } from "../policies/releases/freeze.ts";
import { releaseText } from "../policies/releases/release-text.ts";
import { vectorDigests } from "../policies/releases/vector-digests.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { loadGates } from "./gates.ts";
import { clientData, type JudgedData, serviceData } from "./judged-data.ts";

const SIDES: readonly (readonly [string, JudgedData])[] = [
  ["services", serviceData(loadKitData())],
  ["clients", await clientData()],
];

for (const [side, data] of SIDES) {
  test(`--suite gives the set that was frozen for ${side}`, async (context) => {
    const releases = temporaryDirectory(context);
    const digests = vectorDigests(data.folder);
    const release = freeze("0.0.9", data.contract, data.digest, digests, ["property/x"]);
    writeFileSync(join(releases, "0.0.9.yaml"), releaseText(release));
    const load = (suite: string) => loadGates({ suite }, { ...data, releases }, 0);
    const { frozen } = await load(`${data.contract.id}@0.0.9`);
    assert.deepEqual(frozen, { release, digests, kitVersion: kitVersion() });
    await assert.rejects(() => load(`${data.contract.id}@0.1.0`), {
      message: `--suite: there is no suite ${data.contract.id}@0.1.0 (did you mean "${data.contract.id}@0.0.9"?); there are ${data.contract.id}@0.0.9`,
    });
  });
}
