/** The kit as a library: read its data, reach an implementation through an adapter, run, and look at the report. */

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
export { moduleWorkerAdapter } from "./adapters/module-worker.ts";
export { attachAdapter } from "./adapters/socket.ts";
export { type StdioOptions, stdioAdapter } from "./adapters/stdio.ts";
export { type KitData, loadKitData } from "./cli/kit-data.ts";
export { DataError } from "./data/data-error.ts";
export { kitVersion } from "./paths.ts";
export type { RealTime } from "./play/clock.ts";
export type { Failure, Result, ResultOutcome, TraceEntry } from "./play/result.ts";
export { readReport } from "./report/read-report.ts";
export type { Choice } from "./run/choices.ts";
export type { Report, ShardFacts, Terms } from "./run/report.ts";
export { type RunOptions, run } from "./run/run.ts";
export type { RuleOutcome, RuleReport, Verdict } from "./run/verdict.ts";
export { type MergingKit, mergeReports, type ReportFile } from "./shard/merge-reports.ts";
