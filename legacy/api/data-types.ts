/** The types of vectors, fixtures and reports, and of what is in them. */

export type { OddSignature } from "../contract/keys/odd-signature.ts";
export type { MessageChange, SignatureChange, SignatureEncoding } from "../contract/keys/proof.ts";
export type { Outcome } from "../engine/outcome.ts";
export type { Advice, Mismatch, Observation } from "../engine/play/judgement.ts";
export type { RequestKind } from "../engine/play/request-kind.ts";
export type {
  Breakage,
  Failure,
  Finding,
  Known,
  Looked,
  Result,
  ResultOutcome,
  Shown,
  TraceEntry,
} from "../engine/play/result.ts";
export type { Level, OpenPoint, Reading, Rule, RuleBook } from "../engine/rule-book.ts";
export type { RequestCounts, TimeFacts } from "../engine/run/activity.ts";
export type { Choice } from "../engine/run/choices.ts";
export type { OperationTime } from "../engine/run/latencies.ts";
export type {
  JudgedSelection,
  LifetimeFacts,
  SearchFacts,
  SearchShare,
  Selection,
  ShardFacts,
  SlowFacts,
} from "../engine/run/report.ts";
export type { Shard } from "../engine/run/shard.ts";
export type { RuleOutcome, RuleReport, Verdict } from "../engine/run/verdict.ts";
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
export type {
  AdvanceStep as GoldenAdvanceStep,
  DemoKey,
  ExchangeStep,
  Fixture,
  GoldenIndex,
  GoldenProof,
  GoldenRequest,
  GoldenStep,
  HttpForm,
  HttpHeader,
  IndexEntry,
  JsonObject,
  Omission,
  RestartStep as GoldenRestartStep,
  Substitution,
} from "../golden/fixture.ts";
export type { JsonType, Match, Matcher } from "../golden/matchers.ts";
export type { BaselineReport } from "../policies/baseline.ts";
export type { ChangedChoice, HeldChoices } from "../policies/choices.ts";
export type { Asked, GatedReport as Report } from "../policies/gated-report.ts";
export type {
  Counts as TestCounts,
  Details as TestDetails,
  Diagnostic as TestDiagnostic,
  Ended as TestEnded,
  Place as TestPlace,
  Queued as TestQueued,
  Started as TestStarted,
  Summary as TestSummary,
  TestEvent,
} from "../reports/event-report.ts";
