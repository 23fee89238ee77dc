/** Why a vector ends before its last step. */
import type { Waiver } from "../contract.ts";

/** A step did not get what it must: the rest of the vector is not reached. The scene holds the failure, if it is one. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
}

/** The service has no more room, as it may: the vector asks for more than it can hold, and is left out. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
  /** What the implementation lacks, where the user can give it. */
  readonly lacks: readonly string[] | undefined;

  constructor({ reason, lacks }: Waiver) {
    super(reason);
    this.lacks = lacks;
  }
}

/** On a real clock the answer came so late that it may rightly be another: nothing can be said of it. */
export class TooLate extends Error {
  override readonly name = "TooLate";
}

/** A vector that has nothing to try on this implementation's values; `message` says why. It is left out. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** A step of the vector gives something that no request can carry, or refers to nothing; `message` says what. */
export class BadStep extends Error {
  override readonly name = "BadStep";
}
