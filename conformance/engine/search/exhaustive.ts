import { setImmediate as nextTurn } from "node:timers/promises";
import { AdapterFault, type Connection, type ImplementationInfo } from "../../adapters/adapter.ts";
import { closingLook } from "../../contract/commands/closing-look.ts";
import { everySequence } from "../../contract/commands/every-sequence.ts";
import { interleaved } from "../../contract/commands/interleaved.ts";
import type { Round } from "../../contract/commands/rounds.ts";
import type { Result } from "../play/result.ts";
import type { Stage } from "../play/scene.ts";
import { startTime } from "../play/start-times.ts";
import { type Shard, stretchOf } from "../run/shard.ts";
import { explain } from "./explain.ts";
import { FastWorld } from "./fast-world.ts";
import { Found } from "./judged-service.ts";
import { type SequenceStage, sequenceStage } from "./play-sequence.ts";
import { type Property, unmetNeed } from "./property.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";

/** How far an exhaustive search has come. */
export interface SearchProgress {
  readonly sequences: number;
  readonly ofSequences: number;
  /** Requests, clock steps and restarts. */
  readonly steps: number;
}

export interface ExhaustiveOptions {
  readonly connect: () => Promise<Connection>;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  /** Letters of a sequence: 1 or more. Time grows about fifteenfold with each. */
  readonly depth: number;
  /** Which part of the sequences to try, where several share them. */
  readonly shard?: Shard;
  readonly onProgress?: (progress: SearchProgress) => void;
  /** Asked before and now and then in the search: whether to stop, and why. */
  readonly stopped?: () => string | undefined;
}

/** What the search came to: its result, for the report, and how much was tried. */
export interface Search extends SearchProgress {
  readonly result: Result;
}

/** Sequences between two reports of progress. */
const REPORT_EVERY = 250;

const exhaustiveProperty: Omit<Property, "check"> = {
  name: "exhaustive",
  title: "every sequence over a small alphabet gets the answers that the contract allows",
  rules: ["CHALLENGE-22", "CHALLENGE-23", "SESSION-7", "IDEMPOTENCY-5", "IDEMPOTENCY-14", "LIMIT-6"],
  needs: ["virtual-clock", "restart"],
};

/**
 * Tries every sequence of so many letters over two creators, two keys, two inputs, good and bad proofs, each limit
 * from both sides, and a restart, and looks at what it left behind. Never throws for anything that an implementation does.
 */
export async function exhaustive(options: ExhaustiveOptions): Promise<Search> {
  const { info, stage, depth } = options;
  const skip = unmetNeed(exhaustiveProperty, info) ?? options.stopped?.();
  if (skip !== undefined) {
    const result = untriedProperty(exhaustiveProperty, "skipped", skip);
    return { sequences: 0, ofSequences: 0, steps: 0, result };
  }
  const connection = await options.connect();
  const startMs = startTime("between-seconds");
  const sequence = sequenceStage(stage, connection, propertyId(exhaustiveProperty));
  const world = new FastWorld(sequence, startMs);
  const looked = [...everySequence(depth)].map((letters) => [...letters, ...closingLook(letters)]);
  const every = interleaved(looked);
  const { from, count } = stretchOf(every.length, options.shard ?? { index: 1, of: 1 });
  const all = every.slice(from, from + count);
  const ofSequences = all.flat().length;
  try {
    await connection.start(startMs);
    const { sequences, result } = await tryAll(all, ofSequences, world, sequence, options);
    return { sequences, ofSequences, steps: world.steps, result };
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    const result = untriedProperty(exhaustiveProperty, "error", error.message);
    return { sequences: 0, ofSequences, steps: world.steps, result };
  } finally {
    await connection.close();
  }
}

async function tryAll(
  all: readonly Round[],
  ofSequences: number,
  world: FastWorld,
  stage: SequenceStage,
  { onProgress = () => undefined, stopped = () => undefined }: ExhaustiveOptions,
): Promise<{ readonly sequences: number; readonly result: Result }> {
  let sequences = 0;
  let reported = Number.NEGATIVE_INFINITY;
  for (const round of all) {
    if (sequences >= reported + REPORT_EVERY) {
      reported = sequences;
      onProgress({ sequences, ofSequences, steps: world.steps });
      await nextTurn();
      const reason = stopped();
      if (reason !== undefined)
        return { sequences, result: untriedProperty(exhaustiveProperty, "skipped", reason) };
    }
    try {
      await world.play(round);
      sequences += round.length;
    } catch (error) {
      if (!(error instanceof Found)) throw error;
      const outcome = await explain(world.last, world.deeds, stage);
      return { sequences: sequences + 1, result: propertyResult(exhaustiveProperty, outcome) };
    }
  }
  onProgress({ sequences: ofSequences, ofSequences, steps: world.steps });
  return {
    sequences: ofSequences,
    result: propertyResult(exhaustiveProperty, { trace: [], observations: [], advice: [] }),
  };
}
