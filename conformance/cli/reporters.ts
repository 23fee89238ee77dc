import { existsSync } from "node:fs";
import { suggestion } from "../engine/data/schema.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { TestEvent } from "../reports/event-report.ts";
import type { ReportContext } from "../reports/view.ts";
import { heldFromExit } from "./held-from-exit.ts";
import { parseReporters, type ReporterSpec } from "./reporter-spec.ts";
import { type SubjectOptions, subjectOf } from "./subject.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Makes a report's text; undefined where there is nothing for it to say of such a run. Pure: of the finished report and its
 * context alone.
 */
export type ReportWriter<Told = GatedReport> = (
  told: Told,
  context: ReportContext,
) => string | undefined | Promise<string | undefined>;

/** A reporter that is ready to write. */
export interface Reporter<Told = GatedReport> extends ReporterSpec {
  readonly write: ReportWriter<Told>;
  /** Whether the file is added to, as GitHub wants it of a job summary. */
  readonly appends?: boolean;
}

/** What a reporter may need in order to be made. */
interface Making extends SubjectOptions {
  readonly eventsOf: EventsOf;
}

/** Gives a report as events: one list for all reporters, as node:test gives all the same. */
type EventsOf = (report: GatedReport, make: () => Iterable<TestEvent>) => readonly TestEvent[];

/** The reporters that the kit knows by name, each loaded only where it is asked for. */
const KNOWN: Readonly<Record<string, (making: Making) => Promise<ReportWriter>>> = {
  console: async () => (await import("../reports/console.ts")).consoleReport,
  json: async () => traced((await import("../reports/json.ts")).jsonReport),
  junit: async () => (await import("../reports/junit.ts")).junitReport,
  tap: async ({ eventsOf }) => ofEvents((await import("node:test/reporters")).tap, eventsOf),
  spec: async ({ eventsOf }) => ofEvents((await import("node:test/reporters")).spec, eventsOf),
  dot: async ({ eventsOf }) => ofEvents((await import("node:test/reporters")).dot, eventsOf),
  github: async () => {
    const { githubAnnotations } = await import("../reports/github.ts");
    const workspace = { folder: process.env["GITHUB_WORKSPACE"] ?? process.cwd(), has: existsSync };
    return (report, context) => githubAnnotations(report, context, workspace);
  },
  html: async () => traced((await import("../reports/html/html-report.ts")).htmlReport),
  badge: async () => ofVerdicts((await import("../reports/badge.ts")).badgeReport),
  "in-toto": async (making) => {
    const subject = subjectOf(making);
    const { inTotoStatement } = await import("../reports/in-toto.ts");
    return ofVerdicts((report) => inTotoStatement(report, subject));
  },
};

/** Names of the kit's own reporters. */
export const REPORTERS: readonly string[] = Object.keys(KNOWN);

/**
 * Makes ready what `--reporter` asks for, before anything runs. A name that is not the kit's own is that of a reporter
 * for node:test: a package, or a file.
 * @param options what names the subject of an in-toto statement
 * @throws {UsageError} for a reporter that cannot be found or loaded, and for two that would write into each other
 */
export async function loadReporters(
  values: readonly string[],
  options: SubjectOptions,
): Promise<readonly Reporter[]> {
  const making = { ...options, eventsOf: sharedEvents() };
  const specs = parseReporters(values);
  const isOwn = ({ name }: ReporterSpec) => Object.hasOwn(KNOWN, name);
  const own = await Promise.all(
    specs.filter(isOwn).map(async (spec) => ({ ...spec, write: await knownWriter(spec.name, making) })),
  );
  // One after the other, and after the kit's own: whatever they do to the process, those are written.
  const others: Reporter[] = [];
  for (const spec of specs.filter((one) => !isOwn(one)))
    others.push({ ...spec, write: await foreignWriter(spec.name, making.eventsOf) });
  return [...own, ...(await jobSummary(own)), ...others];
}

/**
 * Makes ready one reporter: of the kit's own or another by its name, or one for node:test as it is.
 * @throws {UsageError} for a reporter that cannot be found or loaded
 */
export async function oneReporter(reporter: unknown, options: SubjectOptions): Promise<ReportWriter> {
  const eventsOf = sharedEvents();
  if (typeof reporter !== "string") return ofEvents(reporter, eventsOf);
  const making = { ...options, eventsOf };
  return Object.hasOwn(KNOWN, reporter) ? knownWriter(reporter, making) : foreignWriter(reporter, eventsOf);
}

/** A reporter that tells a verdict alone, and so has nothing to say of a selection, or of recorded traffic. */
function ofVerdicts(write: ReportWriter): ReportWriter {
  return (report, context) =>
    report.selection === undefined && report.audit === undefined ? write(report, context) : undefined;
}

/** GitHub takes a page on the job from a step, as a file to which it is added. */
async function jobSummary(reporters: readonly Reporter[]): Promise<readonly Reporter[]> {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file || !reporters.some(({ name }) => name === "github")) return [];
  const { githubSummary } = await import("../reports/github.ts");
  return [{ name: "github summary", file, appends: true, write: githubSummary }];
}

async function knownWriter(name: string, making: Making): Promise<ReportWriter> {
  const make = KNOWN[name];
  if (make === undefined) throw new Error(`no reporter ${name}`);
  return make(making);
}

/** A reporter that somebody else wrote, and that must not end the program while it is loaded or writes. */
async function foreignWriter(name: string, eventsOf: EventsOf): Promise<ReportWriter> {
  const write = await ofEvents(await heldFromExit(() => packaged(name)), eventsOf);
  return (report, context) => heldFromExit(async () => write(report, context));
}

async function packaged(name: string): Promise<unknown> {
  const { loadEventReporter } = await import("./load-event-reporter.ts");
  const found = await loadEventReporter(name);
  if (found !== undefined) return found;
  throw new UsageError(
    `--reporter ${name}: there is no such reporter, package or file${suggestion(name, REPORTERS)}; there are ${REPORTERS.join(", ")}`,
  );
}

/** A reporter that is told behind each rule the broken services on which its tests were seen to fail. */
async function traced(write: ReportWriter): Promise<ReportWriter> {
  const { tracedReport } = await import("../mutants/traceability.ts");
  return (report, context) => write(tracedReport(report), context);
}

/** A reporter of node:test, given the report as that runner's events. All is loaded now, none of it after the run. */
async function ofEvents(reporter: unknown, eventsOf: EventsOf): Promise<ReportWriter> {
  const { eventReport } = await import("../reports/event-report.ts");
  const { testEvents } = await import("../reports/test-events.ts");
  return (report, context) =>
    eventReport(
      reporter,
      eventsOf(report, () => testEvents(report, context)),
      context.color,
    );
}

function sharedEvents(): EventsOf {
  const made = new WeakMap<GatedReport, readonly TestEvent[]>();
  return (report, make) => {
    const events = made.get(report) ?? [...make()];
    made.set(report, events);
    return events;
  };
}
