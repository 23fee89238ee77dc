import type { BrokenEntry, LegalEntry } from "../entry.ts";

/** What is the same for broken and legal clients. */
interface ClientEntry {
  /** How it reaches the service; in its own process, unless told. */
  readonly over?: "http";
}

/** A client that breaks rules, in one way that has a name: an edit of the example. */
export type BrokenClient = ClientEntry &
  Omit<BrokenEntry, "property"> & {
    /** Whether its own rule is the only required one that sees it. */
    readonly alone?: true;
  };

/** A client that takes other readings of the contract than the example does, and conforms. */
export type LegalClient = ClientEntry & Omit<LegalEntry, "apart" | "untried">;

/** All that is known of wrong clients, and of right ones that are unlike the example. */
export interface ClientBank {
  readonly broken: readonly BrokenClient[];
  readonly legal: readonly LegalClient[];
}
