import type { SourcePlace } from "../engine/vectors/vector.ts";

/** A change to the source of the reference: text that must occur exactly once in it, and what stands there instead. */
export interface Edit {
  /** Name of a file in the reference's folder, for text that others have, too. */
  readonly in?: string;
  readonly replace: string;
  readonly with: string;
  /** What `with` needs and its file may not import yet: `name` of another file of the reference, or `name from package`. */
  readonly imports?: readonly string[];
}

/** An edit with the place in the bank that it comes from. */
export interface PlacedEdit extends Edit {
  readonly place: SourcePlace;
}

/** A service that breaks rules, in one way that has a name. */
export interface BrokenEntry {
  /** `area/slug`. */
  readonly id: string;
  /** What is broken, in the present tense. */
  readonly title: string;
  /** How a developer comes to make that mistake. */
  readonly why: string;
  /** The rules that must be seen to fail; the entry is the first one's own. */
  readonly breaks: readonly string[];
  /** The property that has to find it, by id, where no vector comes upon it. */
  readonly property?: string;
  readonly edits: readonly PlacedEdit[];
  readonly place: SourcePlace;
}

/** A service that takes other readings of the contract than the reference does, and conforms. */
export interface LegalEntry {
  /** `legal/slug`. */
  readonly id: string;
  /** What is different, in the present tense. */
  readonly title: string;
  /** The open points on which it must be seen to differ from the reference, all of them, with the reading seen. */
  readonly choices: Readonly<Record<string, string>>;
  /** The required rules for which its run is undecided, all of them: what it has too little room for, say. */
  readonly untried?: readonly string[];
  /** Entries that contradict this one, by id: never drawn together. */
  readonly apart: readonly string[];
  readonly edits: readonly PlacedEdit[];
  readonly place: SourcePlace;
}

/** All that is known of wrong services, and of right ones that are unlike the reference. */
export interface Bank {
  readonly broken: readonly BrokenEntry[];
  readonly legal: readonly LegalEntry[];
}
