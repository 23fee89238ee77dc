/** The types of vectors as they are loaded; vectors/contract/suite.schema.json is of what is written in files. */
export type { Outcome } from "../engine/outcome.ts";
export type { Need } from "../engine/vectors/need.ts";
export type {
  AcceptedOutcome,
  AdvanceStep,
  ClassifyStep,
  ClockStart,
  CompareStep,
  CustomStep,
  Expectation,
  Fields,
  MomentText,
  OperationStep,
  RepeatStep,
  RestartStep,
  SourcePlace,
  Step,
  Tally,
  Template,
  TogetherStep,
  Vector,
} from "../engine/vectors/vector.ts";
