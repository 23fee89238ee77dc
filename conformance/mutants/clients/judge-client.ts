import type { ClientData } from "../../contract/client/client-data.ts";
import type { SiteHost } from "../../engine/client/client-door.ts";
import { clientRunOutcome } from "../../engine/client/client-run.ts";
import type { ClientVector } from "../../engine/client/client-vector.ts";
import type { RealTime } from "../../engine/play/real-time.ts";
import { makeReport, type Report } from "../../engine/run/report.ts";
import { type BrokenOutcome, type LegalOutcome, type Verdict, verdictOf } from "../judge-entry.ts";
import type { BrokenClient, LegalClient } from "./client-entry.ts";
import { type ClientModule, clientInThread } from "./client-in-thread.ts";
import { firstFailure, firstOf, vectorsNaming } from "./first-failure.ts";

/** What clients are judged with. */
export interface ClientTrial {
  readonly kit: ClientData;
  /** Where those that talk HTTP find the service. */
  readonly sites: SiteHost;
  /** Random scripts that a legal client is tried with, besides every vector: it is the vectors that cover all. */
  readonly legalRuns: number;
  /** Waits in real time: for what does not end by itself. */
  readonly sleep: RealTime["sleep"];
}

/** Real time that a task may take, in ms: a client waits by the clock of the kit, and so takes a few at most. */
const LIMIT_MS = 5_000;

/**
 * Plays a broken client the vectors that name a rule of the entry; and all, where one of its rules is not seen to fail, or
 * it must be seen that no other rule does.
 */
export async function judgeBrokenClient(
  entry: BrokenClient,
  client: ClientModule,
  trial: ClientTrial,
): Promise<BrokenOutcome> {
  const { id, breaks, alone = false } = entry;
  const { vectors } = trial.kit.suites;
  const naming = vectorsNaming(breaks, vectors);
  // Where one rule is to be seen broken, the first vector that fails will usually do.
  const few = { vectors: naming, bail: breaks.length === 1 };
  const some = alone ? undefined : await judge(client, entry, trial, few);
  const isCaught = (rule: string) => some !== undefined && seenBy(rule, some, naming).length > 0;
  const report = some !== undefined && breaks.every(isCaught) ? some : await judge(client, entry, trial);
  const first =
    report !== some
      ? firstOf(report.results)
      : await firstFailure(report.results, vectors, async (chosen) => {
          const { results } = await judge(client, entry, trial, chosen);
          return results;
        });
  const looked = report === some ? naming : vectors;
  const caughtBy = Object.fromEntries(
    // A rule may be seen broken on the way to something else, as what a client keeps from one service for the next.
    breaks.map((rule) => [rule, seenBy(rule, report, looked)]),
  );
  const fault = report.results.find(({ outcome, failures }) => outcome === "error" && failures.length === 0);
  return {
    id,
    caughtBy,
    ...(report === some ? {} : { allBroken: failedRules(report) }),
    ...(first === undefined ? {} : { first }),
    ...(fault === undefined || breaks.every((rule) => (caughtBy[rule]?.length ?? 0) > 0)
      ? {}
      : { fault: `${fault.id}: ${fault.reason}` }),
  };
}

/** Plays a legal client every vector, and some random scripts. */
export async function judgeLegalClient(
  entry: LegalClient,
  client: ClientModule,
  trial: ClientTrial,
): Promise<LegalOutcome> {
  const report = await judge(client, entry, trial);
  // What is drawn at random may show another choice each time.
  const searched =
    trial.legalRuns === 0
      ? []
      : (await judge(client, entry, trial, { vectors: [], runs: trial.legalRuns })).results;
  const differing = report.choices.filter(({ observed, reference }) => observed !== reference);
  const results = [...report.results, ...searched];
  const failures = results.flatMap(({ id, failures, incidental }) =>
    [...failures, ...incidental].map(
      ({ rules, expected, got }) => `${id}: ${rules.join(", ")}: expected ${expected}, got ${got}`,
    ),
  );
  const errors = results.flatMap(({ id, outcome, reason }) =>
    outcome === "error" ? [`${id}: ${reason}`] : [],
  );
  const untried = report.rules.flatMap(({ id, level, outcome }) =>
    level === "required" && outcome === "untried" ? [`${id} was not tried`] : [],
  );
  const complaints = [...new Set([...failures, ...errors, ...untried])];
  return {
    id: entry.id,
    conforms: complaints.length === 0,
    choices: Object.fromEntries(differing.map(({ point, observed }) => [point, observed])),
    complaints,
  };
}

/** Plays a client every vector. */
export async function judgeWholeClient(
  entry: BrokenClient | LegalClient,
  client: ClientModule,
  trial: ClientTrial,
): Promise<Verdict> {
  return verdictOf(entry.id, await judge(client, entry, trial));
}

async function judge(
  client: ClientModule,
  { over }: { readonly over?: "http" },
  { kit, sites: listening, sleep }: ClientTrial,
  {
    vectors = kit.suites.vectors,
    runs = 0,
    bail = false,
  }: { readonly vectors?: readonly ClientVector[]; readonly runs?: number; readonly bail?: boolean } = {},
): Promise<Report> {
  const outcome = await clientRunOutcome({
    contract: kit.contract,
    suites: { vectors, digest: "" },
    door: clientInThread(client, over === "http"),
    sites: over === "http" ? listening : NOWHERE,
    kitVersion: "",
    seed: 1,
    only: [],
    runs,
    bail,
    accepted: new Set(),
    limitMs: LIMIT_MS,
    // Time stands still but for the waits of the client: what is slow on a busy machine is not taken for patience.
    time: { now: () => 0, sleep },
  });
  return makeReport(kit.contract, outcome);
}

let opened = 0;

/** Addresses at which nobody listens, each another: a client may keep by them what it knows of a service. */
const NOWHERE: SiteHost = {
  open: async () => {
    opened = (opened + 1) % 60_000;
    return `http://127.0.0.1:${1024 + opened}`;
  },
  close: async () => {},
};

function seenBy(rule: string, { results }: Report, vectors: readonly ClientVector[]): readonly string[] {
  const about = new Set(vectors.map(({ id }) => id));
  return results
    .filter(({ id, failures }) => about.has(id) && failures.some(({ rules }) => rules.includes(rule)))
    .map(({ id }) => id);
}

function failedRules({ rules }: Report): readonly string[] {
  return rules
    .filter(({ level, outcome }) => level === "required" && outcome === "failed")
    .map(({ id }) => id);
}
