import { REQUEST_RULES } from "./requests.ts";
import { RESULT_RULES } from "./results.ts";
import { RETRY_RULES } from "./retries.ts";
import type { RuleTest } from "./rule.ts";
import { SECRET_RULES } from "./secrets.ts";
import { TRUST_RULES } from "./trust.ts";

/** The tests of the rules for clients, by the IDs of the rules (`vectors/contract/client/rules.yaml`). */
export const RULES: ReadonlyMap<string, RuleTest> = new Map(
  Object.entries({
    ...RESULT_RULES,
    ...REQUEST_RULES,
    ...RETRY_RULES,
    ...SECRET_RULES,
    ...TRUST_RULES,
  }).map(([id, rule]) => [`CLIENT-${id}`, rule]),
);
