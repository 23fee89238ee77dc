import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import bs58 from "bs58";
import { METADATA_HOSTS, TERMS_HASH } from "../../reference/profile.ts";

/** A call as the reference takes it in process. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly bearer?: string;
  readonly idempotencyKey?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Somebody who signs in and builds. */
export class Client {
  readonly address: string;
  readonly #privateKey: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.#privateKey = privateKey;
    this.address = bs58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
  }

  challenge(): Call {
    return post("/v1/auth/challenge", { creator: this.address, termsHash: TERMS_HASH });
  }

  /** The honest proof of a challenge; any other where it is spoilt. */
  verify({ body: { id, message } }: Answer, spoilt = false): Call {
    const text = `${message}${spoilt ? "!" : ""}`;
    const signatureBase64 = sign(null, Buffer.from(text), this.#privateKey).toString("base64");
    return post("/v1/auth/verify", { id, signatureBase64 });
  }

  /** A valid build; the same input for the same key. */
  build({ body: { bearer } }: Answer, key: string, name = "Demo Coin"): Call {
    const mint = bs58.encode(createHash("sha256").update(key).digest());
    const uri = `https://${METADATA_HOSTS[0]}/demo.json`;
    const call = post("/v1/launch/build", { creator: this.address, mint, name, symbol: "DEMO", uri });
    return { ...call, bearer: String(bearer), idempotencyKey: key };
  }
}

function post(path: string, body: object): Call {
  return { method: "POST", path, body: JSON.stringify(body) };
}
