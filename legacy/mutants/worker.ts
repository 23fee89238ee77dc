/** A process that makes the programs of the mutant suites and judges them, one after the other, as the pool asks. */
import { httpSites } from "../client-doors/http-sites.ts";
import { loadClientData } from "../contract/client/client-data.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { MACHINE_TIME } from "../machine-time.ts";
import { applyEdits } from "./edits.ts";
import { type Judged, judgedClient, judgedService, judgeMutant, judgeVariant, judgeWhole } from "./judge.ts";
import { faultOutcome, type Job, type JobOutcome } from "./judge-suite.ts";
import { clientFromSources, serviceFromSources } from "./module-from-sources.ts";
import { exampleProgram, referenceProgram } from "./program.ts";
import { type ConformingVariant, loadMutants, type Mutant } from "./suite.ts";

/** Makes programs of one side, and hands each to whoever judges it. */
interface Workshop {
  readonly broken: ReadonlyMap<string, Mutant>;
  readonly legal: ReadonlyMap<string, ConformingVariant>;
  judged<Value>(entries: readonly (Mutant | ConformingVariant)[], judge: Judge<Value>): Promise<Value>;
}
type Judge<Value> = (judged: Judged) => Promise<Value>;

/** Loaded at the first job of a side. */
const workshops = { services: lazily(services), clients: lazily(clients) };

function services(): Workshop {
  const kit = loadKitData();
  const suite = loadMutants("services", kit.contract);
  const program = referenceProgram();
  return {
    broken: byId(suite.broken),
    legal: byId(suite.legal),
    judged: async (entries, judge) => {
      const edits = entries.flatMap((entry) => entry.edits);
      return judge(judgedService(await serviceFromSources(applyEdits(program, edits)), kit));
    },
  };
}

function clients(): Workshop {
  const kit = loadClientData();
  const suite = loadMutants("clients", kit.contract);
  const program = exampleProgram();
  return {
    broken: byId(suite.broken),
    legal: byId(suite.legal),
    judged: async ([entry], judge) => {
      const client = await clientFromSources(applyEdits(program, entry?.edits ?? []));
      const sites = httpSites();
      try {
        return await judge(judgedClient(client, entry?.over, { kit, sites, sleep: MACHINE_TIME.sleep }));
      } finally {
        await sites.close();
      }
    },
  };
}

async function perform(job: Job): Promise<JobOutcome> {
  const { broken, legal, judged } = workshops[job.side]();
  const { id } = job;
  const entries = (job.kind === "variant" ? job.entries : [id]).flatMap(
    (name) => broken.get(name) ?? legal.get(name) ?? [],
  );
  try {
    if (job.kind === "verdict")
      return { kind: "verdict", outcome: await judged(entries, (it) => judgeWhole(id, it)) };
    if (job.kind === "variant") {
      const untried = job.entries.flatMap((name) => legal.get(name)?.untried ?? []);
      const outcome = await judged(entries, (it) => judgeVariant(id, it, job.extent, untried));
      return { kind: "variant", outcome };
    }
    const mutant = broken.get(id);
    if (mutant === undefined) throw new Error(`no mutant ${id}`);
    const outcome = await judged(entries, (it) => judgeMutant(mutant, it));
    return { kind: "mutant", outcome };
  } catch (thrown) {
    const fault = String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
    return faultOutcome(job, fault);
  }
}

function byId<Entry extends { readonly id: string }>(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

process.on("message", async (job: Job) => {
  process.send?.(await perform(job));
});
// What a client leaves behind unawaited must not end the others.
process.on("unhandledRejection", () => {});
process.send?.("ready");
