import { type AdapterFault, MissingAnswer } from "./adapter.ts";
import { shown } from "./one-line.ts";

/** RFC 4648, section 4. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes in the result of `bytesToSign` (adapter protocol, "Messages"). @throws {MissingAnswer} where it has none */
export function toldBytes(result: unknown): Uint8Array {
  const base64 = (result as { base64?: unknown } | null | undefined)?.base64;
  if (typeof base64 === "string" && BASE64.test(base64)) return new Uint8Array(Buffer.from(base64, "base64"));
  throw new MissingAnswer(`bytesToSign: expected {"base64": …} in standard base64, got ${shown(result)}`, {
    fatal: true,
  });
}

/** A fault in the place of the bytes, with what follows from it. */
export function missingBytes({ message, log }: AdapterFault): MissingAnswer {
  return new MissingAnswer(
    `${message}; where facts.signedBytes is adapter, bytesToSign {message} must be answered`,
    {
      log,
      fatal: true,
    },
  );
}
