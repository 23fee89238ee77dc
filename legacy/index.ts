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
  type Handing,
  type ImplementationInfo,
  MissingAnswer,
  NotTransportable,
  type ServedContract,
  type ServiceRequest,
  type SignedBytes,
} from "./adapters/adapter.ts";
export { type HttpOptions, httpAdapter } from "./adapters/http.ts";
export {
  type InProcessAdapter,
  type InProcessConnection,
  inProcessAdapter,
  type Service,
  type ServiceCall,
  type ServiceModule,
} from "./adapters/in-process.ts";
export { loadModule } from "./adapters/load-module.ts";
export { type ModuleProcessOptions, moduleProcessAdapter } from "./adapters/module-process.ts";
export { type StdioOptions, stdioAdapter } from "./adapters/stdio.ts";
export type * from "./api/data-types.ts";
export {
  type DefinedHandler,
  defineConfig,
  defineReporter,
  defineService,
  type Envelope,
  type EventReporter,
  type ServiceDefinition,
} from "./api/define.ts";
export { defineTests, type TestFunctions } from "./api/define-tests.ts";
export { type Judging, judge } from "./api/judge.ts";
export type {
  Alone,
  AnyTarget,
  CommandTarget,
  Config,
  InFile,
  JudgeOptions,
  ModuleTarget,
  ServiceTarget,
  StatedFacts,
  Target,
  TargetConfig,
  TargetOptions,
  UrlTarget,
} from "./api/judge-options.ts";
export { type ReportTextOptions, reportText } from "./api/report-text.ts";
export type { Selection, TestsOptions, TestsTarget } from "./api/tests-options.ts";
export { UsageError } from "./cli/usage-error.ts";
export { type KitData, loadKitData } from "./contract/kit-data.ts";
export { DataError } from "./engine/data/data-error.ts";
export type { RealTime, Wait } from "./engine/play/real-time.ts";
export { type MergingKit, mergeReports, type ReportFile } from "./engine/run/merge-reports.ts";
export { type RunOptions, run } from "./engine/run/run.ts";
export type { SearchBudget } from "./engine/run/searching.ts";
export type { Salt } from "./engine/run/stage.ts";
export { kitVersion } from "./paths.ts";
export { readReport } from "./reports/read-report.ts";
