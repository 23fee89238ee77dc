/** Gives the reference new keys, hashes, and formats in each trial, so that no client can hard-code them. */
import { createHash } from "node:crypto";
import bs58 from "bs58";
import { type SignedBytes, signedBytesOf } from "../../adapters/info.ts";
import { AUDIENCE, MAX_BODY_BYTES } from "../../contract/constants.ts";
import { type KeyPair, privateKeyOf, verifySignature } from "../../contract/key-pair.ts";
import type { JsonObject } from "../../data/json.ts";
import { keyFault } from "../../model/public-key.ts";
import type { ReadRequest } from "../history.ts";
import type { Fault } from "../trial.ts";
import { bearerOf, messageOf, timestampOf } from "./forms.ts";

/** Keys of the profile, which a draft repeats. */
const PROFILE_KEYS = ["platform", "feeWallet", "withdrawAuthority"];
/** Bearer that the reference does not know. */
const UNKNOWN_BEARER = "unknown";

export class Translator {
  readonly #signedBytes: SignedBytes;
  readonly #termsHash: string;
  /** Terms hash of the reference. */
  readonly #originalHash: unknown;
  readonly #keys: JsonObject;
  /** By the ID of a challenge: the message that the client received, the reference's message, the creator. */
  readonly #challenges = new Map<
    unknown,
    Readonly<{ message: string; original: string; creator: unknown }>
  >();
  /** By the bearer that the client received: the reference's bearer, and the creator of the session. */
  readonly #sessions = new Map<unknown, { readonly original: string; readonly creator: unknown }>();

  /**
   * @param label text from which the keys and the terms hash are derived, different in each trial
   * @param profile the profile of the reference
   * @param signedBytes fact of the client. For `hex` and `base64`, messages have that encoding.
   */
  constructor(label: string, profile: JsonObject, signedBytes: SignedBytes) {
    this.#signedBytes = signedBytes;
    this.#termsHash = createHash("sha256").update(`${label} terms`).digest("hex");
    this.#originalHash = profile["termsHash"];
    this.#keys = Object.fromEntries(
      PROFILE_KEYS.map((name) => [name, bs58.encode(privateKeyOf(`${label} ${name}`))]),
    );
  }

  /** Returns the creator that a request names by its challenge, session, or body, if any. */
  creatorOf({ operation, request, fields }: ReadRequest): unknown {
    if (operation === "verify") return this.#challenges.get(fields["id"])?.creator;
    return this.#sessions.get(request.bearer)?.creator ?? fields["creator"];
  }

  /** Returns the request that the reference gets. @param signer key pair of the request's creator */
  toReference(read: ReadRequest, signer: KeyPair | undefined): object {
    const { method, path, body, bearer, idempotencyKey } = read.request;
    return {
      method,
      path,
      body: this.#body(read, signer) ?? body,
      bearer: bearer === undefined ? undefined : (this.#sessions.get(bearer)?.original ?? UNKNOWN_BEARER),
      idempotencyKey,
    };
  }

  /** Returns a body with the values of the reference, or undefined if it needs no translation. */
  #body({ operation, request, input }: ReadRequest, signer: KeyPair | undefined): string | undefined {
    if (input === undefined || request.bytes.length > MAX_BODY_BYTES) return undefined;
    if (operation === "challenge") {
      const hashes = [this.#termsHash, this.#originalHash];
      const termsHash = hashes[1 - hashes.indexOf(input["termsHash"])];
      return termsHash === undefined ? undefined : JSON.stringify({ ...input, termsHash });
    }
    if (operation !== "verify") return undefined;
    const challenge = this.#challenges.get(input["id"]);
    if (challenge === undefined || signer === undefined) return undefined;
    const { signatureBase64 } = input;
    const signed = signedBytesOf(this.#signedBytes, challenge.message);
    if (!isSignature(signatureBase64, signed, signer.address)) return undefined;
    const signature = Buffer.from(signer.sign(Buffer.from(challenge.original))).toString("base64");
    return JSON.stringify({ ...input, signatureBase64: signature });
  }

  /** Returns the body of a successful response as the client gets it. */
  fromReference(read: ReadRequest, body: JsonObject, fault: Fault): JsonObject {
    switch (read.operation) {
      case "platform":
        return { ...body, ...this.#keys, termsHash: this.#termsHash };
      case "challenge": {
        const creator = read.fields["creator"];
        const parts = { creator: String(creator), audience: AUDIENCE, termsHash: this.#termsHash };
        const text = messageOf({ ...parts, expiresAt: String(body["expiresAt"]) }, fault.message);
        const encoding = this.#signedBytes;
        const isEncoded = encoding === "hex" || encoding === "base64";
        const message = isEncoded ? Buffer.from(text).toString(encoding) : text;
        this.#challenges.set(body["id"], { creator, message, original: String(body["message"]) });
        return { ...body, message, expiresAt: timestampOf(body["expiresAt"], fault.timestamps) };
      }
      case "verify": {
        const original = String(body["bearer"]);
        const bearer = bearerOf(original, fault.bearer);
        this.#sessions.set(bearer, { original, creator: this.creatorOf(read) });
        return { ...body, bearer, expiresAt: timestampOf(body["expiresAt"], fault.timestamps) };
      }
      case "build":
        return { ...body, ...this.#keys };
      default:
        return body;
    }
  }
}

/** Returns whether a text is a valid signature of these bytes, in padded standard base64. */
export function isSignature(text: unknown, signed: Uint8Array, address: string): boolean {
  const signature = Buffer.from(String(text), "base64");
  if (signature.length !== 64 || keyFault(address) !== undefined) return false;
  return signature.toString("base64") === text && verifySignature(address, signed, signature);
}
