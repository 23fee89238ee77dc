import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import type { KitData } from "../../contract/kit-data.ts";
import { run } from "../../engine/run/run.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS, DEFAULT_SEED } from "../../engine/search/default-runs.ts";
import type { Vector } from "../../engine/vectors/vector.ts";

/**
 * What became of a mutant: `killed` where a usual run says that it does not conform, `broke` where it could not be
 * driven, `undecided` where something required was not tried, and `survived` where it conforms.
 */
export type Fate = "killed" | "broke" | "undecided" | "survived";

/** What the kit said of a mutant. */
export interface MutantOutcome {
  readonly id: string;
  readonly fate: Fate;
  /** The vector or property that failed first, or why it broke. */
  readonly by?: string;
}

/** Judges mutants one after the other, and tries first what has killed most of those before. */
export class MutantJudge {
  readonly #kit: KitData;
  readonly #kills = new Map<string, number>();

  constructor(kit: KitData) {
    this.#kit = kit;
  }

  /** A usual run, as far as its first failure. */
  async judge(id: string, service: ServiceModule): Promise<MutantOutcome> {
    const report = await run({
      contract: this.#kit.contract,
      suites: { vectors: this.#vectors(), digest: "" },
      adapter: inProcessAdapter(service, { name: "mutant" }),
      kitVersion: "",
      seed: DEFAULT_SEED,
      only: [],
      bail: true,
      runs: DEFAULT_RUNS,
      exhaustive: DEFAULT_DEPTH,
      maxWaitMs: 0,
      accepted: new Set(),
      time: { now: () => 0, sleep: async () => {} },
    });
    const { verdict, results } = report;
    const failed = results.find(({ outcome }) => outcome === "failed");
    if (failed !== undefined) this.#kills.set(failed.id, (this.#kills.get(failed.id) ?? 0) + 1);
    if (verdict === "does-not-conform") return { id, fate: "killed", ...(failed && { by: failed.id }) };
    const broken = results.find(({ outcome }) => outcome === "error");
    if (broken !== undefined) return { id, fate: "broke", by: broken.reason ?? broken.id };
    return { id, fate: verdict === "conforms" ? "survived" : "undecided" };
  }

  #vectors(): readonly Vector[] {
    const kills = (vector: Vector) => this.#kills.get(vector.id) ?? 0;
    return this.#kit.suites.vectors.toSorted((one, other) => kills(other) - kills(one));
  }
}
