import type { RuleBook } from "../../engine/rule-book.ts";
import { complaintsAboutBroken, complaintsAboutLegal } from "../complaints.ts";
import { firstShown } from "../first-shown.ts";
import type { BrokenOutcome } from "../judge-entry.ts";
import type { BrokenClient } from "./client-entry.ts";
import type { JudgedClients } from "./judge-client-bank.ts";

/** Of many complaints about one client, this many are told. */
const MOST_COMPLAINTS = 20;

/**
 * The matrix of rules by broken clients, what is wrong, and the numbers.
 * @param isWhole whether all clients of the bank were judged: of a few any share may begin otherwise
 */
export function clientSummary(
  judged: JudgedClients,
  contract: RuleBook,
  isWhole: boolean,
): { readonly text: string; readonly good: boolean } {
  const broken = judged.broken.map((entry) => ({
    ...entry,
    complaints: complaintsAboutBrokenClient(entry, judged.brokenOutcomes.get(entry.id)),
  }));
  const legal = judged.legal.map((entry) => ({
    ...entry,
    complaints: complaintsAboutLegal({ ...entry, apart: [] }, judged.legalOutcomes.get(entry.id)),
  }));
  const wrong = [...broken, ...legal].filter(({ complaints }) => complaints.length > 0);
  const shown = firstShown({ ...judged, kind: "clients" });
  const paragraphs = [
    matrix(judged, contract),
    ...wrong.map(({ id, title, complaints }) => {
      const more =
        complaints.length > MOST_COMPLAINTS ? [`… and ${complaints.length - MOST_COMPLAINTS} more`] : [];
      return [`${id}: ${title}`, ...complaints.slice(0, MOST_COMPLAINTS), ...more].join("\n  ");
    }),
    judged.broken.length === 0 ? "" : shown.text,
    [
      `${score(broken)} broken clients caught by the right rule`,
      `${score(legal)} legal clients conform`,
    ].join("; "),
  ];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    good: wrong.length === 0 && (!isWhole || shown.good),
  };
}

/** What is wrong with the outcome of a broken client: nothing where its rules were seen to fail, alone where it says so. */
export function complaintsAboutBrokenClient(
  entry: BrokenClient,
  outcome: BrokenOutcome | undefined,
): readonly string[] {
  const others = (outcome?.allBroken ?? []).filter((rule) => rule !== entry.breaks[0]);
  return [
    ...complaintsAboutBroken(entry, outcome),
    ...(entry.alone && others.length > 0 ? [`is not alone: ${others.join(", ")} failed, too`] : []),
  ];
}

function score(judged: readonly { readonly complaints: readonly string[] }[]): string {
  return `${judged.filter(({ complaints }) => complaints.length === 0).length} of ${judged.length}`;
}

/** One line for each rule: the clients that break it, each with how many vectors saw it. */
function matrix({ broken, brokenOutcomes }: JudgedClients, contract: RuleBook): string {
  const width = Math.max(...[...contract.rules.keys()].map((id) => id.length));
  const lines = [...contract.rules.keys()].flatMap((rule) => {
    const cells = broken
      .filter(({ breaks }) => breaks.includes(rule))
      .map(({ id }) => `${id} (${brokenOutcomes.get(id)?.caughtBy[rule]?.length ?? 0})`);
    return cells.length === 0 ? [] : [`${rule.padEnd(width)}  ${cells.join("  ")}`];
  });
  return lines.length === 0
    ? ""
    : ["Rules, the clients that break each, and how many vectors see that:", ...lines].join("\n");
}
