import { EXECUTION_WORDS, type ExecutionWord, VERSION_PREFIX } from "./operations.ts";

/** Words of routes that the contract rules out, with the rule of each (contract, "Endpoints"). */
const EXECUTION_RULES: Readonly<Record<ExecutionWord, string>> = {
  sign: "ENDPOINT-8",
  send: "ENDPOINT-9",
  buy: "ENDPOINT-10",
  claim: "ENDPOINT-11",
  payout: "ENDPOINT-12",
};
const RULE_OF_WORD: ReadonlyMap<string, string> = new Map(
  EXECUTION_WORDS.flatMap((word) => [
    [word, EXECUTION_RULES[word]],
    [`${word}s`, EXECUTION_RULES[word]],
  ]),
);

/** The rule against a plainly written path that would execute something: `/v1/launch/sign`, `/v1/sendTransaction`. */
export function executionRule(path: string): string | undefined {
  if (!path.startsWith(`${VERSION_PREFIX}/`)) return undefined;
  if (!/^(?:\/[a-z][A-Za-z]*(?:-[a-z]+)*){1,3}$/.test(path.slice(VERSION_PREFIX.length))) return undefined;
  const words = path
    .replace("pay-out", "payout")
    .split(/[/-]|(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  return words.map((word) => RULE_OF_WORD.get(word)).find((rule) => rule !== undefined);
}

/** Whether a request would execute something, by one of the methods that routes have. */
export function isExecution({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) && executionRule(path) !== undefined;
}
