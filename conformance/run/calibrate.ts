import type { Connection } from "../adapters/adapter.ts";
import { keyPairOf } from "../crypto/key-pair.ts";
import { readEnvelope } from "../judge/exchange.ts";
import { clockResolution, parseTimestamp } from "../judge/timestamp.ts";
import type { RealTime } from "../play/clock.ts";
import { BETWEEN_SECONDS_MS } from "../play/start-times.ts";

/**
 * Reads the step in which a service counts time off its own `expiresAt`, so that a service that counts whole seconds
 * is not failed for expiring late by less than one (open point CLOCK-RESOLUTION).
 * @returns milliseconds; 1 where the service gives no challenge, which its vectors will say
 */
export async function calibrate(connection: Connection, seed: number, time: RealTime): Promise<number> {
  const virtual = connection.info.capabilities.clock === "virtual";
  await connection.start(virtual ? BETWEEN_SECONDS_MS : time.now());
  const profile = readEnvelope(await connection.handle({ method: "GET", path: "/v1/platform" })).body;
  const creator = keyPairOf(`${seed} calibration`).address;
  const body = JSON.stringify({ creator, termsHash: profile["termsHash"] });
  const challenge = readEnvelope(
    await connection.handle({ method: "POST", path: "/v1/auth/challenge", body }),
  ).body;
  const expiresAt = parseTimestamp(challenge["expiresAt"]);
  if (expiresAt === undefined) return 1;
  return connection.info.capabilities.clock === "virtual"
    ? clockResolution(expiresAt)
    : expiresAt.precisionMs;
}
