import { showClientRequest } from "../../../engine/client/show-turn.ts";
import type { Violation } from "../../../engine/client/trace.ts";
import type { Shown } from "../../../engine/play/result.ts";
import type { ClientReading } from "./client-reading.ts";
import { brokenBy } from "./found.ts";
import { holdsSecret, MASK, maskedRequest, secretsInRequest } from "./secret-search.ts";

/** Private keys that were found in requests. */
export interface SecretsFound {
  /** Each key once for each request. */
  readonly violations: readonly Violation[];
  /** What is wrong about a request that holds a key, told without it. */
  readonly withoutKeys: (violation: Violation) => Violation;
}

/** Looks for the private keys of all launches in all requests (contract, "What the service does" and "Authentication"). */
export function judgeSecrets({ asked, launches }: ClientReading): SecretsFound {
  const keys = [...new Map(launches.map(({ secretKey, creator }) => [secretKey, creator]))];
  const secretKeys = keys.map(([secretKey]) => secretKey);
  const clean = new Set<string>();
  const masked = new Map<number, Shown>();
  const violations = asked.flatMap((one) => {
    const findings = secretsInRequest(one.turn.request, secretKeys, clean);
    if (findings.length === 0) return [];
    masked.set(one.turn.index, showClientRequest(maskedRequest(one.turn.request, findings, secretKeys)));
    // The smallest part that holds a key says best where it is.
    const first = findings.filter(
      ({ key }, index) => findings.findIndex((other) => other.key === key) === index,
    );
    return first.map((finding) =>
      brokenBy(one, "CLIENT-SECRET-1", {
        message: "a request carries a private key",
        expected: "no private key in any request, in any usual encoding, whole or in part",
        got: `${finding.what} of ${keys[finding.key]?.[1]}, in ${finding.where}, as ${finding.encoding}`,
      }),
    );
  });
  const told = (text: string) => (holdsSecret(text, secretKeys) ? MASK : text);
  const withoutKeys = (violation: Violation) => {
    const request = masked.get(violation.turn ?? -1);
    if (request === undefined) return violation;
    return { ...violation, expected: told(violation.expected), got: told(violation.got), request };
  };
  return { violations, withoutKeys };
}
