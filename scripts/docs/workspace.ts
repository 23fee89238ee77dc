import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadKitData } from "../../legacy/contract/kit-data.ts";
import { applyEdits } from "../../legacy/mutants/edits.ts";
import { referenceProgram, referenceSources, type Sources } from "../../legacy/mutants/program.ts";
import { loadMutants } from "../../legacy/mutants/suite.ts";
import { PATHS } from "../../legacy/paths.ts";

/** A folder as a user of the kit has it: a service, and the kit installed. */
export interface Workspace {
  readonly folder: string;
  remove(): void;
}

/**
 * Makes a user's folder with `service.ts` in it, which is the reference, or a broken service of the bank. It lies where the
 * service finds the packages that the reference uses.
 * @throws where the bank has no such entry
 */
export function makeWorkspace(brokenId?: string): Workspace {
  const cache = join(PATHS.root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "docs-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PATHS.root, join(folder, "node_modules/launch-draft-conformance"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const sources = brokenId === undefined ? referenceSources() : brokenSources(brokenId);
  for (const [name, text] of sources) writeFileSync(join(folder, name), asTheirOwn(text));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function brokenSources(id: string): Sources {
  const entry = loadMutants("services", loadKitData().contract).broken.find((one) => one.id === id);
  if (entry === undefined) throw new Error(`the bank has no broken service ${id}`);
  return applyEdits(referenceProgram(), entry.edits);
}

/** A service that does not call itself the reference. */
function asTheirOwn(source: string): string {
  return source.replace('"launch-draft-reference"', '"my-service"');
}
