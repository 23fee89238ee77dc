import type { ClientJudgement } from "../../../engine/client/client-contract.ts";
import type { Trace, Violation } from "../../../engine/client/trace.ts";
import type { Advice } from "../../../engine/play/judgement.ts";
import { readTrace } from "./client-reading.ts";
import { adviseOnTrust, observeClient } from "./observe-client.ts";
import { judgeProofs } from "./proofs.ts";
import { judgeLaunchInput, judgeRequests, judgeRoutes, judgeTermsHash } from "./requests.ts";
import { judgeResults } from "./results.ts";
import { judgeBackOff, judgeRepeatedInput, judgeRetries } from "./retries.ts";
import { judgeSecrets } from "./secrets.ts";
import { judgeSessions } from "./sessions.ts";
import type { StageKnowledge } from "./stage-knowledge.ts";
import { judgeUnhindered } from "./unhindered.ts";

/** Rules whose violation is legal, and only gives a warning. */
const ADVICE: ReadonlySet<string> = new Set([
  "CLIENT-ROUTE-2",
  "CLIENT-SESSION-4",
  "CLIENT-BUILD-5",
  "CLIENT-RETRY-2",
]);

/** Maximum number of reported violations of one rule in one launch. */
const MOST_OF_A_RULE = 3;

/**
 * Judges the requests and results of a client in one vector by the clients' rules. The contract never obliges a client to go
 * on: it may always give up.
 */
export function judgeClient(trace: Trace, knowledge: StageKnowledge): ClientJudgement {
  const reading = readTrace(trace);
  const secrets = judgeSecrets(reading);
  const found = [
    ...secrets.violations,
    ...judgeRoutes(reading),
    ...judgeRequests(reading),
    ...judgeTermsHash(reading),
    ...judgeProofs(reading, knowledge),
    ...judgeSessions(reading),
    ...judgeLaunchInput(reading),
    ...judgeRetries(reading),
    ...judgeRepeatedInput(reading),
    ...judgeBackOff(reading),
    ...judgeResults(reading),
  ];
  const broken = found.filter(({ rule }) => !ADVICE.has(rule));
  const warned = found.filter(({ rule }) => ADVICE.has(rule));
  return {
    violations: few([...broken, ...judgeUnhindered(reading, knowledge, broken)]).map(secrets.withoutKeys),
    observations: observeClient(reading, knowledge),
    advice: distinct([
      ...warned.map(({ rule, message, got }) => ({ rule, message: `${message}: ${got}` })),
      ...adviseOnTrust(reading, knowledge),
    ]),
  };
}

function few(violations: readonly Violation[]): readonly Violation[] {
  const counts = new Map<string, number>();
  return violations.filter(({ rule, task }) => {
    const place = `${rule} ${task}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count <= MOST_OF_A_RULE;
  });
}

/** The first warning of each rule. */
function distinct(advice: readonly Advice[]): readonly Advice[] {
  const seen = new Set<string>();
  return advice.filter(({ rule }) => !seen.has(rule) && seen.add(rule));
}
