import type { BrokenOutcome, LegalExtent, LegalOutcome, Verdict } from "./judge-entry.ts";

/** One service for a worker to make and judge; `legal` with several entries is a combination. */
export type Job =
  | { readonly kind: "broken"; readonly id: string }
  | {
      readonly kind: "legal";
      readonly id: string;
      readonly entries: readonly string[];
      readonly extent: LegalExtent;
    }
  | { readonly kind: "verdict"; readonly id: string };

/** What a worker answers. */
export type JobOutcome =
  | { readonly kind: "broken"; readonly outcome: BrokenOutcome }
  | { readonly kind: "legal"; readonly outcome: LegalOutcome }
  | { readonly kind: "verdict"; readonly outcome: Verdict };
