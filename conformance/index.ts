/**
 * The kit as a library. `judge` judges an implementation and gives its report; `reportText` writes that. All else is for
 * whoever puts a run together by hand, and the types of what comes and goes.
 *
 * @packageDocumentation
 */

export {
  type Adapter,
  AdapterFault,
  type Capabilities,
  type Connection,
  type Facts,
  type ImplementationInfo,
  NotTransportable,
  type ServiceRequest,
} from "./adapters/adapter.ts";
export { type HttpOptions, httpAdapter } from "./adapters/http.ts";
export {
  inProcessAdapter,
  type Service,
  type ServiceCall,
  type ServiceModule,
} from "./adapters/in-process.ts";
export { loadModule } from "./adapters/load-module.ts";
export { moduleProcessAdapter } from "./adapters/module-process.ts";
export { attachAdapter } from "./adapters/socket.ts";
export { type StdioOptions, stdioAdapter } from "./adapters/stdio.ts";
export { type Config, defineConfig, type TargetConfig, type TargetOptions } from "./api/define-config.ts";
export { defineReporter, type EventReporter } from "./api/define-reporter.ts";
export {
  type DefinedHandler,
  defineService,
  type Envelope,
  type ServiceDefinition,
} from "./api/define-service.ts";
export { type Judging, judge } from "./api/judge.ts";
export type { JudgeOptions } from "./api/judge-options.ts";
export { type ReportTextOptions, reportText } from "./api/report-text.ts";
export type {
  AttachTarget,
  CommandTarget,
  ModuleTarget,
  ServiceTarget,
  StatedFacts,
  Target,
  UrlTarget,
} from "./api/target.ts";
export { UsageError } from "./cli/usage-error.ts";
export { type KitData, loadKitData } from "./contract/kit-data.ts";
export { DataError } from "./engine/data/data-error.ts";
export type { RealTime } from "./engine/play/real-time.ts";
export type { Failure, Result, ResultOutcome, TraceEntry } from "./engine/play/result.ts";
export type { Level, OpenPoint, Reading, Rule, RuleBook } from "./engine/rule-book.ts";
export type { Choice } from "./engine/run/choices.ts";
export { type MergingKit, mergeReports, type ReportFile } from "./engine/run/merge-reports.ts";
export type { ShardFacts } from "./engine/run/report.ts";
export { type RunOptions, run } from "./engine/run/run.ts";
export type { Salt } from "./engine/run/salt.ts";
export type { RuleOutcome, RuleReport, Verdict } from "./engine/run/verdict.ts";
export type { Step, Vector } from "./engine/vectors/vector.ts";
export type { Fixture, GoldenIndex, GoldenStep } from "./golden/fixture.ts";
export { kitVersion } from "./paths.ts";
export type { GatedReport as Report } from "./policies/gated-report.ts";
export type { TestEvent } from "./reports/events/test-event.ts";
export { readReport } from "./reports/read-report.ts";
