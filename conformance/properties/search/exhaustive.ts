import { setImmediate as nextTurn } from "node:timers/promises";
import { AdapterFault, type Connection, type ImplementationInfo } from "../../adapters/adapter.ts";
import type { Result } from "../../play/result.ts";
import type { Stage } from "../../play/scene.ts";
import { startTime } from "../../play/start-times.ts";
import { type Property, unmetNeed } from "../property.ts";
import { propertyResult, untriedProperty } from "../property-result.ts";
import { sequenceStage } from "../sequence/play-sequence.ts";
import type { Letter } from "./alphabet.ts";
import { everySequence } from "./every-sequence.ts";
import { explain } from "./explain.ts";
import { FastWorld, Found } from "./fast-world.ts";

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
  readonly onProgress?: (progress: SearchProgress) => void;
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
 * from both sides, and a restart. Never throws for anything that an implementation does.
 */
export async function exhaustive(options: ExhaustiveOptions): Promise<Search> {
  const { info, stage, depth, onProgress = () => undefined, stopped = () => undefined } = options;
  const ofSequences = count(everySequence(depth));
  const skip = unmetNeed(exhaustiveProperty, info);
  if (skip !== undefined) {
    return {
      sequences: 0,
      ofSequences,
      steps: 0,
      result: untriedProperty(exhaustiveProperty, "skipped", skip),
    };
  }
  const connection = await options.connect();
  const sequence = sequenceStage(stage, connection, "property/exhaustive");
  const startMs = startTime("between-seconds");
  let sequences = 0;
  const world = new FastWorld(sequence, startMs);
  const search = (result: Result): Search => ({ sequences, ofSequences, steps: world.steps, result });
  const tried: (readonly Letter[])[] = [];
  try {
    await connection.start(startMs);
    for (const letters of everySequence(depth)) {
      tried.push(letters);
      try {
        await world.play(letters);
      } catch (error) {
        if (!(error instanceof Found)) throw error;
        return search(propertyResult(exhaustiveProperty, await explain(tried, sequence)));
      }
      sequences += 1;
      if (sequences % REPORT_EVERY !== 0) continue;
      onProgress({ sequences, ofSequences, steps: world.steps });
      await nextTurn();
      const reason = stopped();
      if (reason !== undefined) return search(untriedProperty(exhaustiveProperty, "skipped", reason));
    }
    onProgress({ sequences, ofSequences, steps: world.steps });
    return search(propertyResult(exhaustiveProperty, { trace: [], observations: [], advice: [] }));
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    return search(untriedProperty(exhaustiveProperty, "error", error.message));
  } finally {
    await connection.close();
  }
}

function count(sequences: Iterable<unknown>): number {
  let found = 0;
  for (const _ of sequences) found += 1;
  return found;
}
