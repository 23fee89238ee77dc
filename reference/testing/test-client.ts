import { createHash } from "node:crypto";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import bs58 from "bs58";
import { METADATA_HOSTS, TERMS_HASH } from "../profile.ts";
import { createService, type ServiceOptions } from "../service.ts";

hashes.sha512 = (bytes) => new Uint8Array(createHash("sha512").update(bytes).digest());

/** A response as tests read it. A member that is absent is undefined. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A test key pair, derived from a name. */
export interface Actor {
  readonly secretKey: Uint8Array;
  readonly creator: string;
}

/** Returns the actor of a name. The same name always gives the same key pair. */
export function actor(name: string): Actor {
  const secretKey = new Uint8Array(createHash("sha256").update(`test actor ${name}`).digest());
  return { secretKey, creator: bs58.encode(getPublicKey(secretKey)) };
}

/** Returns the actor's signature of a UTF-8 text, as base64. */
export function proofBy({ secretKey }: Actor, message: unknown): string {
  return Buffer.from(sign(new TextEncoder().encode(String(message)), secretKey)).toString("base64");
}

/** A service on a clock that the test advances, with a method for each operation. */
export class TestClient {
  /** Current time of the clock, in ms since the Unix epoch. */
  now = Date.UTC(2026, 0, 1, 12, 0, 0, 250);
  readonly #service;
  #keys = 0;

  constructor(options: Omit<ServiceOptions, "now"> = {}) {
    this.#service = createService({ ...options, now: () => this.now });
  }

  /** Sends any request. */
  handle(request: unknown): Answer {
    return this.#service.handle(request) as Answer;
  }

  /** Sends a POST request. A body that is a string is sent unchanged, any other body as JSON. */
  post(path: string, body: unknown, rest: object = {}): Answer {
    return this.handle({
      method: "POST",
      path,
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...rest,
    });
  }

  challenge({ creator }: Actor): Answer {
    return this.post("/v1/auth/challenge", { creator, termsHash: TERMS_HASH });
  }

  verify(challenge: Answer, signatureBase64: string): Answer {
    return this.post("/v1/auth/verify", { id: challenge.body["id"], signatureBase64 });
  }

  /** Opens a session of an actor, and returns its bearer. */
  login(who: Actor): string {
    const challenge = this.challenge(who);
    const { status, body } = this.verify(challenge, proofBy(who, challenge.body["message"]));
    if (status !== 200) throw new Error(`no session: ${status} ${String(body["code"])}`);
    return String(body["bearer"]);
  }

  /** Builds a valid request, under a new key by default. */
  build(who: Actor, bearer: string, changes: object = {}, idempotencyKey = this.newKey()): Answer {
    return this.post("/v1/launch/build", { ...launchOf(who), ...changes }, { bearer, idempotencyKey });
  }

  newKey(): string {
    this.#keys += 1;
    return `test-key-${this.#keys}`;
  }
}

/** Returns a valid launch request of an actor. */
export function launchOf({ creator }: Actor): Record<"creator" | "mint" | "name" | "symbol" | "uri", string> {
  const uri = `https://${METADATA_HOSTS[0]}/metadata.json`;
  return { creator, mint: actor("mint").creator, name: "Example Token", symbol: "EXT", uri };
}

/** Returns the status and the code of an answer, such as `401 UNAUTHORIZED`, or `200` for a success. */
export function outcome({ status, body }: Answer): string {
  return status === 200 ? "200" : `${status} ${String(body["code"])}`;
}
