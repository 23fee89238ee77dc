import type { Connection } from "../../adapters/adapter.ts";
import { readEnvelope } from "../../engine/play/exchange.ts";
import type { RealTime } from "../../engine/play/real-time.ts";
import { BETWEEN_SECONDS_MS } from "../../engine/play/start-times.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { proofText } from "../keys/proof.ts";
import { ROUTES } from "../operations.ts";
import { signIn } from "../verbs/sign-in.ts";
import { clockResolution, parseTimestamp } from "./timestamp.ts";

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
  const send: Parameters<typeof signIn>[0]["send"] = async (request) =>
    readEnvelope(await connection.handle(request));
  await connection.start(virtual ? BETWEEN_SECONDS_MS : time.now());
  const { termsHash } = (await send(ROUTES.platform)).body;
  const signer = keyPairOf(`${seed} calibration`);
  const prove = async (text: string) => {
    const bytes = facts.signedBytes === "adapter" ? { bytes: await connection.bytesToSign(text) } : {};
    return proofText({ signer, text, signedBytes: facts.signedBytes, ...bytes });
  };
  const { challenge, session } = await signIn({ address: signer.address, termsHash, prove, send });
  const stepOf = (expiresAt: unknown) => {
    const written = parseTimestamp(expiresAt);
    if (written === undefined) return 1;
    return virtual ? clockResolution(written) : written.precisionMs;
  };
  return Math.max(stepOf(challenge.body["expiresAt"]), stepOf(session?.body["expiresAt"]));
}
