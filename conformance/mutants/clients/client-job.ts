/** One client for a worker to make and judge. */
export type ClientJob =
  | {
      readonly kind: "broken";
      readonly id: string;
      /** Whether it is looked at for what its report begins with: see `judgeBrokenClient`. */
      readonly first: boolean;
    }
  | {
      readonly kind: "legal";
      readonly id: string;
      /** Whether it is tried with random scripts, too. */
      readonly isSearched: boolean;
    }
  | { readonly kind: "verdict"; readonly id: string };
