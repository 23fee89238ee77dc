import type { VerifierOutcome } from "./judge-verifier.ts";
import type { PublishedCase } from "./load-verifiers.ts";

/** A column of the table: a point of the published cases, in a few words. */
const COLUMNS: readonly (readonly [point: string, head: string, meaning: string])[] = [
  [
    "UNREDUCED-SCALAR",
    "S + L",
    "the honest S with the group order L added: whoever saw the honest signature can make it",
  ],
  [
    "UNREDUCED-SCALAR-TOP-BITS",
    "S + nL",
    "the same with as many group orders as 32 bytes hold, so that top bits are set",
  ],
  ["SMALL-ORDER-KEY", "small A", "a creator key of small order, for which everybody can sign"],
  ["SMALL-ORDER-R", "small R", "an R of small order under an honest key"],
  [
    "MIXED-ORDER-CANCELS",
    "mixed A and R",
    "key and R outside the group of prime order, where both equations hold",
  ],
  ["MIXED-ORDER-KEY", "cofactor", "signatures that hold by the equation with the cofactor alone"],
  ["NON-CANONICAL-KEY", "odd A", "a key that is not in canonical form, hashed as it was sent"],
  ["REENCODED-KEY", "odd A, mended", "the same, hashed in canonical form"],
  ["NON-CANONICAL-POINT", "odd R", "an R that is not in canonical form, hashed as it was sent"],
  ["REENCODED-R", "odd R, mended", "the same, hashed in canonical form"],
];

const WORDS: Readonly<Record<string, string>> = {
  accepted: "yes",
  INVALID_PROOF: "no",
  "INVALID_PROOF | accepted": "some",
};

/** The page "what your verifier accepts", in Markdown. */
export function verifierPage(
  outcomes: readonly VerifierOutcome[],
  cases: readonly PublishedCase[],
  versionOf: (verifier: string) => string,
): string {
  const head = ["verifier", "version", ...COLUMNS.map(([, name]) => name)];
  const rows = outcomes.map(({ verifier, observed }) => [
    verifier.name,
    versionOf(verifier.id),
    ...COLUMNS.map(([point]) => WORDS[observed.get(point) ?? ""] ?? "not seen"),
  ]);
  const lines = [
    "# What your verifier accepts",
    "",
    "The contract asks for an Ed25519 signature and names no specification of it, and honest libraries differ about",
    "signatures that no honest signer makes. What they differ in is open: the kit tries each kind over a live challenge,",
    "records what the service did as an observed choice, and advises where accepting is unsafe. A service over any of",
    "these libraries conforms. `npm run verifiers` judges the reference's service over each of them by the whole kit,",
    "holds what was seen to what is published, and writes this page.",
    "",
    ...tableOf(head, rows),
    "",
    "*Some*: one form of it is accepted and another refused (y not reduced, or the sign of x = 0 set).",
    "",
    ...tableOf(
      ["column", "open point", "what is tried"],
      COLUMNS.map(([point, name, meaning]) => [name, `\`${point}\``, meaning]),
    ),
    "",
    "## What is published",
    "",
    "The twelve cases of [ed25519-speccheck](https://github.com/novifinancial/ed25519-speccheck), the row of each library",
    "(V: accepted, X: refused), and where it is said. The script asks each library about these very cases, too.",
    "",
    ...tableOf(
      ["case", "what it is", "open point"],
      cases.map(({ what, point }, index) => [String(index), what, `\`${point}\``]),
    ),
    "",
    ...tableOf(
      ["verifier", "row", "source"],
      outcomes.map(({ verifier: { name, row, source } }) => [
        name,
        `\`${row.map((accepts) => (accepts ? "V" : "X")).join("")}\``,
        source,
      ]),
    ),
    "",
  ];
  return lines.join("\n");
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
