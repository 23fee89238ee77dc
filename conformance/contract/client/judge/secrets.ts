import { showClientRequest } from "../../../engine/client/show-turn.ts";
import type { ClientRequest, Violation } from "../../../engine/client/trace.ts";
import type { Asked, ClientReading } from "./client-reading.ts";
import { brokenBy } from "./found.ts";
import { type SecretFinding, secretsInRequest } from "./secret-in-request.ts";

/** Private keys in requests (contract, "What the service does" and "Authentication"), each key once for each request. */
export function judgeSecrets({ asked, launches }: ClientReading): readonly Violation[] {
  const keys = [...new Map(launches.map(({ secretKey, creator }) => [secretKey, creator]))];
  const secretKeys = keys.map(([secretKey]) => secretKey);
  const clean = new Set<string>();
  return asked.flatMap((one) => {
    const findings = secretsInRequest(one.turn.request, secretKeys, clean);
    // The smallest part that holds a key says best where it is.
    const first = findings.filter(
      ({ key }, index) => findings.findIndex((other) => other.key === key) === index,
    );
    return first.map((finding) => ({
      ...brokenBy(one, "CLIENT-SECRET-1", {
        message: "a request carries a private key",
        expected: "no private key in any request, in no encoding and in no part",
        got: `${finding.what} of ${keys[finding.key]?.[1]}, in ${finding.where}, as ${finding.encoding}`,
      }),
      request: showClientRequest(masked(one, findings)),
    }));
  });
}

/** A key in parts too small to be found in one header. */
const SPREAD = "several headers";

/** What stands in place of whatever holds a key. */
const MASK = "(a private key)";

/** The request without any part that holds a key: what is shown may be kept, and sent on. */
function masked({ turn: { request } }: Asked, findings: readonly SecretFinding[]): ClientRequest {
  const mask = (text: string) => findings.reduce((left, finding) => withoutKey(left, finding), text);
  const body =
    request.body === undefined ? undefined : maskedBody(Buffer.from(request.body).toString(), findings);
  const inHeaders = findings.filter(({ where }) => where.includes("header"));
  const isSpread =
    inHeaders.some(({ where }) => where === SPREAD) && inHeaders.every(({ where }) => where === SPREAD);
  return {
    method: mask(request.method),
    target: mask(request.target),
    headers: request.headers.map(([name, value]) => [mask(name), isSpread ? MASK : mask(value)]),
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  };
}

function withoutKey(text: string, finding: SecretFinding): string {
  return finding.text !== "" && text.includes(finding.text) ? text.replaceAll(finding.text, MASK) : text;
}

/** Where a part of the body cannot be cut out as it was written, the whole of it goes. */
function maskedBody(body: string, findings: readonly SecretFinding[]): string {
  const held = findings.filter(({ where }) => /^(?:body|name of a member|several members)/.test(where));
  const cut = held.reduce((left, finding) => withoutKey(left, finding), body);
  return held.every((finding) => body.includes(finding.text)) ? cut : MASK;
}
