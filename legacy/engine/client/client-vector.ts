import type { SourcePlace } from "../vectors/vector.ts";
import type { ClientScenario } from "./client-contract.ts";

/** A vector of the clients' suites after loading: everything that can be known before a client is given anything. */
export interface ClientVector {
  /** `suite/vector`, or `suite/vector/case`. */
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  /** The rules that it speaks for. */
  readonly rules: readonly string[];
  readonly place: SourcePlace;
  readonly scenario: ClientScenario;
}

/** The vectors of one or more files and what identifies the set. */
export interface ClientSuites {
  /** In the contract's order. */
  readonly vectors: readonly ClientVector[];
  /** SHA-256 over the texts of the files, as lowercase hex. */
  readonly digest: string;
}
