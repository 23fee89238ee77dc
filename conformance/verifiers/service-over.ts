import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ServiceModule } from "../adapters/in-process.ts";
import { applyEdits } from "../mutants/edits.ts";
import { referenceProgram, serviceFromSources } from "../mutants/program.ts";
import type { PlacedEdit } from "../mutants/suite.ts";

/** The reference's file that verifies signatures. */
const VERIFYING = "ed25519.ts";

/** What has to wait where a library verifies asynchronously. */
const WAITING: readonly (readonly [text: string, awaited: string])[] = [
  ["export function handle(argument", "export async function handle(argument"],
  ["body: operation(request, state, now)", "body: await operation(request, state, now)"],
  ["function verify({ body }", "async function verify({ body }"],
  ["checkProof(challenge, proof.signature);", "await checkProof(challenge, proof.signature);"],
  ["export function checkProof(", "export async function checkProof("],
  ["const holds = signatureHolds(", "const holds = await signatureHolds("],
];

/** The reference's service with its signatures verified by the library of that id. */
export async function serviceOver(id: string): Promise<ServiceModule> {
  const edits = WAITING.map(([replace, text], index): PlacedEdit => {
    return { replace, with: text, place: { file: fileURLToPath(import.meta.url), line: index + 1 } };
  });
  const sources = new Map(applyEdits(referenceProgram(), edits));
  sources.set(VERIFYING, readFileSync(new URL(`./libraries/${id}.ts`, import.meta.url), "utf8"));
  return serviceFromSources(sources);
}
