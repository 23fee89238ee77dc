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
export { moduleProcessAdapter } from "./adapters/module-process.ts";
export { attachAdapter } from "./adapters/socket.ts";
export { type StdioOptions, stdioAdapter } from "./adapters/stdio.ts";
export { type KitData, loadKitData } from "./contract/kit-data.ts";
export { DataError } from "./engine/data/data-error.ts";
export type { RealTime } from "./engine/play/real-time.ts";
export type { Failure, Result, ResultOutcome, TraceEntry } from "./engine/play/result.ts";
export type { Choice } from "./engine/run/choices.ts";
export { type MergingKit, mergeReports, type ReportFile } from "./engine/run/merge-reports.ts";
export type { Report, ShardFacts } from "./engine/run/report.ts";
export { type RunOptions, run } from "./engine/run/run.ts";
export type { Salt } from "./engine/run/salt.ts";
export type { RuleOutcome, RuleReport, Verdict } from "./engine/run/verdict.ts";
export { kitVersion } from "./paths.ts";
export { readReport } from "./reports/read-report.ts";
