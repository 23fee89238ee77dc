/**
 * Judges the reference's service over every verifier of conformance/verifiers by the whole kit, holds what it accepts
 * to what is published of the verifier, and writes docs/verifiers.md. Exits with 1 where a row does not conform, or
 * something was seen that is not published.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { PATHS } from "../conformance/paths.ts";
import { judgeVerifier, rowOf, type VerifierOutcome } from "../conformance/verifiers/judge-verifier.ts";
import { loadVerifiers, pinnedVersion, publishedCases } from "../conformance/verifiers/load-verifiers.ts";
import { verifierPage } from "../conformance/verifiers/verifier-page.ts";

/** A few cases of each property find what is wrong with the kit's own model; it is the vectors that cover all. */
const PROPERTY_RUNS = 8;

const kit = loadKitData();
const cases = publishedCases();
const outcomes: VerifierOutcome[] = [];
for (const verifier of loadVerifiers()) {
  const row = await rowOf(verifier.id, cases);
  const asPublished = row.every((accepts, index) => accepts === verifier.row[index]);
  const judged = await judgeVerifier(verifier, cases, kit, { only: [], runs: PROPERTY_RUNS });
  const letters = row.map((accepts) => (accepts ? "V" : "X")).join("");
  const complaints = [
    ...(asPublished ? [] : [`the published cases are answered ${letters}`]),
    ...judged.complaints,
  ];
  outcomes.push({ ...judged, complaints });
  const verdict = complaints.length === 0 ? "conforms, as published" : complaints.join("\n  ");
  process.stdout.write(`${verifier.name}: ${judged.results} results, ${letters}, ${verdict}\n`);
}
writeFileSync(join(PATHS.root, "docs", "verifiers.md"), verifierPage(outcomes, cases, pinnedVersion));
process.exitCode = outcomes.some(({ complaints }) => complaints.length > 0) ? 1 : 0;
