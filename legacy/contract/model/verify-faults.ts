import { extraMembers, hasForm } from "../request-fields.ts";
import type { BodyReading } from "./body-reading.ts";
import { certainBy, type RequestFault } from "./request-fault.ts";

/** What a verify request says, as far as it says it. */
export interface ProofReading {
  readonly faults: readonly RequestFault[];
  /** The id, where it is well formed. */
  readonly id: string | undefined;
  /** The 64 bytes of the signature, where it is written as the contract has it or in a spelling that some accept. */
  readonly signature: Uint8Array | undefined;
  /** The open point on which a spelling other than standard base64 leans. */
  readonly spelling: string | undefined;
}

/** Reads the members of a verify request (contract, "POST /v1/auth/verify"). */
export function readProof({ kind, members }: BodyReading): ProofReading {
  if (kind !== "object") return { faults: [], id: undefined, signature: undefined, spelling: undefined };
  const { id, signatureBase64 } = members;
  const { signature, spelling } = typeof signatureBase64 === "string" ? readSignature(signatureBase64) : {};
  return {
    faults: [
      ...idFaults(id),
      ...signatureFaults(signatureBase64, signature),
      ...(extraMembers("verify", members) ? [certainBy("VERIFY-7", "CODE-VERIFY-FIELDS")] : []),
    ],
    id: typeof id === "string" && hasForm("verify", "id", id) ? id : undefined,
    signature,
    spelling,
  };
}

function idFaults(id: unknown): readonly RequestFault[] {
  const fault = (rule: string) => [certainBy(rule, "CODE-VERIFY-ID")];
  const shape = (rule: string) => [certainBy(rule, "CODE-VERIFY-ID-FIELD")];
  if (id === undefined) return shape("VERIFY-1");
  if (typeof id !== "string") return shape("VERIFY-2");
  return hasForm("verify", "id", id) ? [] : fault("VERIFY-3");
}

function signatureFaults(value: unknown, bytes: Uint8Array | undefined): readonly RequestFault[] {
  if (value === undefined) return [certainBy("VERIFY-4", "CODE-VERIFY-SIGNATURE-TYPE")];
  if (typeof value !== "string") return [certainBy("VERIFY-5", "CODE-VERIFY-SIGNATURE-TYPE")];
  return bytes === undefined ? [certainBy("VERIFY-6", "MALFORMED-SIGNATURE")] : [];
}

/** Other ways to write 64 bytes that some decoders take (RFC 4648, sections 3 and 5). */
function readSignature(text: string): Pick<ProofReading, "signature" | "spelling"> {
  const bytes = Buffer.from(text, "base64");
  const none = { signature: undefined, spelling: undefined };
  if (bytes.length !== 64) return none;
  const standard = bytes.toString("base64");
  const signature = new Uint8Array(bytes);
  if (text === standard) return { signature, spelling: undefined };
  const bare = text.replace(/\s/g, "");
  if (bare !== text && bare === standard) return { signature, spelling: "SIGNATURE-WHITE-SPACE" };
  const within = text.replace(/[^A-Za-z0-9+/=_-]/g, "");
  if (within !== text && within === standard) return { signature, spelling: "SIGNATURE-OUTSIDE-ALPHABET" };
  if (text === standard.replace(/=+$/, "")) return { signature, spelling: "SIGNATURE-UNPADDED" };
  if (text.replaceAll("-", "+").replaceAll("_", "/") === standard)
    return { signature, spelling: "SIGNATURE-URL-SAFE" };
  const digits = /^[A-Za-z0-9+/]{86}==$/.test(text) && text.slice(0, 85) === standard.slice(0, 85);
  return digits ? { signature, spelling: "SIGNATURE-SPARE-BITS" } : none;
}
