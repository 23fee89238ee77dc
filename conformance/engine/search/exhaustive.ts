// biome-ignore lint/plugin/edges: it yields to other work, and waits for no time
import { setImmediate as nextTurn } from "node:timers/promises";
import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import type {
  ExhaustiveOptions,
  ExhaustiveOutcome,
  ExhaustiveProperty,
  PropertyDescription,
} from "../contract.ts";
import { endedBy } from "../play/breakage.ts";
import type { Result } from "../play/result.ts";
import { startTime } from "../play/start-times.ts";
import { stretchOf } from "../run/shard.ts";
import { unmetNeed } from "../vectors/need.ts";
import { explain } from "./explain.ts";
import type { SequenceStage } from "./play-sequence.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";
import { type Round, type RoundSet, SequenceRunner } from "./sequence-runner.ts";
import { Violated } from "./violation.ts";

/** Sequences between two reports of progress. */
const REPORT_EVERY = 250;

/** Every sequence of a few commands. */
export interface EverySequence<Command> extends PropertyDescription {
  readonly set: RoundSet<Command>;
  /** Every sequence of so many commands, in a fixed order and in rounds that can be played side by side. */
  readonly rounds: (depth: number) => readonly Round<Command>[];
}

/**
 * The property that every sequence of so many commands gets the answers that the contract allows, and leaves behind
 * what it must.
 */
export function exhaustive<Command>(every: EverySequence<Command>): ExhaustiveProperty {
  const { set, rounds, ...described } = every;
  return {
    ...described,
    count: (depth) => rounds(depth).flat().length,
    async search(options: ExhaustiveOptions): Promise<ExhaustiveOutcome> {
      const { info, stage, depth } = options;
      const reason = options.stopped?.();
      const skip = unmetNeed(described.needs, info) ?? (reason === undefined ? undefined : { reason });
      if (skip !== undefined) {
        const result = untriedProperty(described, "skipped", skip);
        return { sequences: 0, leftOut: 0, ofSequences: 0, steps: 0, ended: true, result };
      }
      const all = rounds(depth);
      const { from, count } = stretchOf(all.length, options.shard ?? { index: 1, of: 1 });
      const own = all.slice(from, from + count);
      let connection: Connection | undefined;
      try {
        connection = await options.connect();
        const sequenceStage = { contract: set, stage, connection, id: propertyId(described), played: 0 };
        return await tryAll(described, own, set, sequenceStage, options);
      } catch (error) {
        if (!(error instanceof AdapterFault)) throw error;
        const nothing = { sequences: 0, leftOut: 0, ofSequences: own.flat().length, steps: 0, ended: true };
        return { ...nothing, result: { ...untriedProperty(described, "error"), ...endedBy(error) } };
      } finally {
        await connection?.close();
      }
    },
  };
}

async function tryAll<Command>(
  described: PropertyDescription,
  rounds: readonly Round<Command>[],
  set: RoundSet<Command>,
  stage: SequenceStage,
  { onProgress = () => undefined, stopped = () => undefined, mostSteps = Infinity }: ExhaustiveOptions,
): Promise<ExhaustiveOutcome> {
  const ofSequences = rounds.flat().length;
  const startMs = startTime("between-seconds", stage.stage.seed);
  const runner = new SequenceRunner(set, stage, startMs);
  let played = 0;
  let reported = Number.NEGATIVE_INFINITY;
  const progress = (ended: boolean) => ({
    ended,
    sequences: played - runner.cut,
    leftOut: runner.cut,
    ofSequences,
    steps: runner.steps,
  });
  const outcome = (result: Result): ExhaustiveOutcome => ({ ...progress(true), result });
  try {
    await stage.connection.start(startMs);
    for (const round of rounds) {
      if (runner.steps >= mostSteps) break;
      if (played >= reported + REPORT_EVERY) {
        reported = played;
        onProgress(progress(false));
        await nextTurn();
        const reason = stopped();
        if (reason !== undefined) return outcome(untriedProperty(described, "skipped", { reason }));
      }
      await runner.play(round);
      played += round.length;
    }
  } catch (error) {
    if (error instanceof AdapterFault)
      return outcome({ ...untriedProperty(described, "error"), ...endedBy(error) });
    if (!(error instanceof Violated)) throw error;
    played += 1;
    return outcome(propertyResult(described, await explain(described.name, runner, set, stage)));
  }
  onProgress(progress(true));
  return outcome(propertyResult(described, { trace: [], observations: [], advice: [] }));
}
