import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Step } from "../vectors/vector.ts";
import type { NewModel } from "./model.ts";

/** What a contract gives to whoever plays sequences of steps that its model judges. */
export interface SequenceContract {
  readonly newModel: NewModel;
  /**
   * The same steps under keys that no other sequence has: a service that forgets too little would otherwise let one
   * sequence show what another has done, and neither could be played again by itself.
   */
  readonly withOwnKeys: (steps: readonly Step[], number: number) => readonly Step[];
  readonly writing: VectorWriting;
}

/** What a vector must say that is made of a failed sequence, beyond statuses and codes. */
export interface VectorWriting {
  /** The rule that any wrong answer breaks, where it cannot be told which. */
  readonly anyRule: string;
  /** Open points with many readings, for sets of answers that lean on no single point. */
  readonly anyErrorPoints: readonly string[];
  /** Open points that let a service refuse for want of room: whoever plays a vector sets such a refusal aside. */
  readonly roomPoints: readonly string[];
  /** Rules by which two answers must differ, with the member that must. */
  readonly distinctMembers: Readonly<Record<string, string>>;
  /** The body of an error answer with this code, as far as the model reads it. */
  readonly errorBody: (code: string) => Readonly<Record<string, unknown>>;
  /** Whether a request asks again for what another has asked for, so that the answers must be the same. */
  readonly asksAgain: (request: ServiceRequest, earlier: ServiceRequest) => boolean;
}
