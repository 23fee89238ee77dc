import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { suggestion } from "../engine/data/schema.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { TestEvent } from "../reports/event-report.ts";
import { type ReportContext, type ReportView, viewOf } from "../reports/view.ts";
import { heldFromExit } from "./held-from-exit.ts";
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

/** Gives a report as events: one list for all reporters, as node:test gives all the same. */
type EventsOf = (report: GatedReport, make: () => Iterable<TestEvent>) => readonly TestEvent[];

/** Prints a report. Pure: of the view alone. */
type Printer = (view: ReportView) => string | Promise<string>;

/** A reporter of the kit. */
interface KnownReporter {
  /** Loads the printer; called only if the reporter is asked for. */
  readonly load: (eventsOf: EventsOf) => Promise<Printer>;
  /** Whether the text is one document: two after one another are not a document of that format. */
  readonly isDocument?: true;
  /** Whether it reports a verdict alone, and so has nothing to say of a selection. */
  readonly isVerdictOnly?: true;
  /** Whether it shows, with each rule, the mutants that the rule's tests were seen to fail on. */
  readonly isTraced?: true;
  /** Whether its lines may stand on standard output next to another report. */
  readonly isAlongside?: true;
}

/** The kit's own reporters, by name: help, completion, configuration files and the tests of hostile text read it. */
const KNOWN: Readonly<Record<string, KnownReporter>> = {
  console: { load: async () => (await import("../reports/console.ts")).consoleReport },
  json: {
    isDocument: true,
    isTraced: true,
    load: async () => {
      const { jsonReport } = await import("../reports/json.ts");
      return ({ report }) => jsonReport(report);
    },
  },
  junit: { isDocument: true, load: async () => (await import("../reports/junit.ts")).junitReport },
  tap: { isDocument: true, load: nodeReporter("tap") },
  spec: { load: nodeReporter("spec") },
  dot: { load: nodeReporter("dot") },
  github: {
    isAlongside: true,
    load: async () => {
      const { githubAnnotations } = await import("../reports/github.ts");
      const workspace = { folder: process.env["GITHUB_WORKSPACE"] ?? process.cwd(), has: existsSync };
      return (view) => githubAnnotations(view, workspace);
    },
  },
  html: {
    isDocument: true,
    isTraced: true,
    load: async () => (await import("../reports/html/html-report.ts")).htmlReport,
  },
  badge: {
    isDocument: true,
    isVerdictOnly: true,
    load: async () => (await import("../reports/badge.ts")).badgeReport,
  },
};

/** Names of the kit's own reporters. */
export const REPORTERS: readonly string[] = Object.keys(KNOWN);

/** Whether a reporter's text is one document, of which standard output can hold no second one. */
export function isDocument(name: string): boolean {
  return knownAs(name)?.isDocument === true;
}

function knownAs(name: string): KnownReporter | undefined {
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
}

function nodeReporter(name: "tap" | "spec" | "dot"): KnownReporter["load"] {
  return async (eventsOf) => ofEvents((await import("node:test/reporters"))[name], eventsOf);
}

/**
 * Makes ready what `--reporter` asks for, before anything runs. A name that is not the kit's own is that of a reporter
 * for node:test: a package, or a file.
 * @throws {UsageError} for a reporter that cannot be found or loaded, and for two that would write into each other
 */
export async function loadReporters(values: readonly string[]): Promise<readonly Reporter[]> {
  const eventsOf = sharedEvents();
  const specs = parseReporters(values);
  const isOwn = ({ name }: ReporterSpec) => knownAs(name) !== undefined;
  const own = await Promise.all(
    specs.filter(isOwn).map(async (spec) => ({ ...spec, write: await writerOf(spec.name, eventsOf) })),
  );
  // One after the other, and after the kit's own: whatever they do to the process, those are written.
  const others: Reporter[] = [];
  for (const spec of specs.filter((one) => !isOwn(one)))
    others.push({ ...spec, write: await writerOf(spec.name, eventsOf) });
  return [...own, ...(await jobSummary(own)), ...others];
}

/**
 * Makes ready one reporter: of the kit's own or another by its name, or one for node:test as it is.
 * @throws {UsageError} for a reporter that cannot be found or loaded
 */
export async function oneReporter(reporter: unknown): Promise<ReportWriter> {
  const eventsOf = sharedEvents();
  if (typeof reporter !== "string") return printed(await ofEvents(reporter, eventsOf));
  return writerOf(reporter, eventsOf);
}

/** GitHub takes a page on the job from a step, as a file to which it is added. */
async function jobSummary(reporters: readonly Reporter[]): Promise<readonly Reporter[]> {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file || !reporters.some(({ name }) => name === "github")) return [];
  const { githubSummary } = await import("../reports/github.ts");
  return [{ name: "github summary", file, appends: true, write: printed(githubSummary) }];
}

async function writerOf(name: string, eventsOf: EventsOf): Promise<ReportWriter> {
  const known = knownAs(name);
  if (known === undefined) return foreignWriter(name, eventsOf);
  const write = printed(await known.load(eventsOf));
  const traced = known.isTraced ? await loadTracing() : (report: GatedReport) => report;
  return (report, context) => {
    const isSelection = report.selection !== undefined;
    return known.isVerdictOnly && isSelection ? undefined : write(traced(report), context);
  };
}

function printed(print: Printer): ReportWriter {
  return (report, context) => print(viewOf(report, context));
}

/** A reporter that somebody else wrote, and that must not end the program while it is loaded or writes. */
async function foreignWriter(name: string, eventsOf: EventsOf): Promise<ReportWriter> {
  const write = printed(await ofEvents(await heldFromExit(() => packaged(name)), eventsOf));
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

async function loadTracing() {
  return (await import("../mutants/traceability.ts")).tracedReport;
}

/** A reporter of node:test, given the report as that runner's events. All is loaded now, none of it after the run. */
async function ofEvents(reporter: unknown, eventsOf: EventsOf): Promise<Printer> {
  const { eventReport } = await import("../reports/event-report.ts");
  const { testEvents } = await import("../reports/test-events.ts");
  return (view) =>
    eventReport(
      reporter,
      eventsOf(view.report, () => testEvents(view)),
      view.color,
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

/** A reporter that was asked for: `NAME`, or `NAME=FILE`. */
interface ReporterSpec {
  readonly name: string;
  /** Where its text goes; to standard output where there is none. */
  readonly file?: string;
}

/**
 * Reads `--reporter` values. One report goes to standard output, the console's unless another is named without a file
 * (or with the file `-`), and each file holds one.
 * @throws {UsageError} where a name or a file is missing, or where two would write into each other
 */
export function parseReporters(values: readonly string[]): readonly ReporterSpec[] {
  const specs = values.map(parse);
  const files = new Map<string, string>();
  for (const { name, file } of specs) {
    if (file === undefined) continue;
    const other = files.get(resolve(file));
    if (other !== undefined)
      throw new UsageError(`--reporter ${name}=${file}: ${other} is to be written to that file`);
    files.set(resolve(file), name);
  }
  const [first, second] = specs.filter(({ name, file }) => file === undefined && !knownAs(name)?.isAlongside);
  if (second !== undefined) {
    throw new UsageError(
      `--reporter ${second.name}: ${first?.name} is to go to standard output; give one of them a file (${second.name}=FILE)`,
    );
  }
  return first === undefined ? [{ name: "console" }, ...specs] : specs;
}

function parse(value: string): ReporterSpec {
  const [name = "", ...rest] = value.split("=");
  const file = rest.join("=");
  if (name === "") throw new UsageError(`--reporter ${value}: must be NAME or NAME=FILE`);
  if (rest.length === 0 || file === "-") return { name };
  if (file === "") throw new UsageError(`--reporter ${value}: must have a file after the =`);
  return { name, file };
}
