import type { PropertyOutcome } from "../contract.ts";
import type { Failure, TraceEntry } from "../play/result.ts";
import { showRequest, showResponse } from "../play/show-exchange.ts";
import type { SequenceStage } from "./play-sequence.ts";
import { type FailedSequence, writeVector } from "./write-vector.ts";

/** What a report says of a sequence that broke a rule. */
export function reportSequence(failed: FailedSequence, { stage, contract }: SequenceStage): PropertyOutcome {
  const { run, name } = failed;
  const { violation, recorded, observations, advice } = run;
  const file = `property/${name}`;
  const trace = recorded.map(
    ({ at, exchange }): TraceEntry => ({
      step: at.step,
      place: { ...at.place, file },
      clockMs: exchange.sentAt - (recorded[0]?.exchange.sentAt ?? exchange.sentAt),
      request: showRequest(exchange.request),
      response: showResponse(exchange.envelope),
    }),
  );
  if (violation === undefined) return { trace, observations, advice };
  const { rules, at, clockMs, exchange, expected, got, differences } = violation;
  const failure: Failure = {
    rule: rules[0] ?? "",
    rules,
    message: stage.contract.rules.get(rules[0] ?? "")?.statement ?? "the contract allows no such answer",
    step: at.step,
    place: { ...at.place, file },
    clockMs,
    request: showRequest(exchange.request),
    response: showResponse(exchange.envelope),
    expected,
    got,
    differences,
  };
  return {
    failure,
    vector: writeVector(failed, stage.contract, contract.writing),
    trace,
    observations,
    advice,
  };
}
