import type { Connection } from "../../adapters/adapter.ts";
import { clockResolution, parseTimestamp } from "../../contract/judge/timestamp.ts";
import { keyPairOf } from "../../contract/keys/key-pair.ts";
import { proofText } from "../../contract/keys/proof.ts";
import type { RealTime } from "../play/clock.ts";
import { readEnvelope } from "../play/exchange.ts";
import { BETWEEN_SECONDS_MS } from "../play/start-times.ts";

/**
 * Reads the step in which a service counts time off its own `expiresAt`, so that a service that counts whole seconds
 * is not failed for expiring late by less than one (open point CLOCK-RESOLUTION). Challenges and sessions may be kept
 * by different clocks, such as a token whose expiry is in seconds: the coarser one counts.
 * @returns milliseconds; 1 where the service gives neither, which its vectors will say
 */
export async function measureClockResolution(
  connection: Connection,
  seed: number,
  time: RealTime,
): Promise<number> {
  const { capabilities, facts } = connection.info;
  const virtual = capabilities.clock === "virtual";
  const ask = async (method: string, path: string, body?: object) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return readEnvelope(await connection.handle({ method, path, ...content })).body;
  };
  await connection.start(virtual ? BETWEEN_SECONDS_MS : time.now());
  const { termsHash } = await ask("GET", "/v1/platform");
  const signer = keyPairOf(`${seed} clock resolution`);
  const challenge = await ask("POST", "/v1/auth/challenge", { creator: signer.address, termsHash });
  const { id, message, expiresAt } = challenge;
  if (typeof message !== "string") return stepOf(expiresAt, virtual);
  const signatureBase64 = proofText({ signer, text: message, signedBytes: facts.signedBytes });
  const session = await ask("POST", "/v1/auth/verify", { id, signatureBase64 });
  return Math.max(stepOf(expiresAt, virtual), stepOf(session["expiresAt"], virtual));
}

function stepOf(expiresAt: unknown, virtual: boolean): number {
  const written = parseTimestamp(expiresAt);
  if (written === undefined) return 1;
  return virtual ? clockResolution(written) : written.precisionMs;
}
