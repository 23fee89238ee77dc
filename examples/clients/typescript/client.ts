/**
 * A client of the offline launch-draft service (contract `partner-preview-1`). It signs in as a creator,
 * requests the draft of one launch, and checks the draft. `main.ts` runs it as a program.
 */
import { createHash, createPrivateKey, sign } from "node:crypto";
import { overHttp } from "./http.ts";
import type { Answer, Call, Launch, Refusal, Result, Surroundings, Transport } from "./protocol.ts";
import {
  claimsTooMuch,
  doubtsAboutChallenge,
  doubtsAboutDraft,
  doubtsAboutProfile,
  doubtsAboutSession,
  type Profile,
} from "./trust.ts";

/** Name of this client in reports. */
export const client = { name: "example-client", version: "1.0.0", language: "TypeScript" };

/** Maximum number of attempts at one request. */
const MOST_TRIES = 4;
/** Wait before the second attempt. Each later wait is twice as long as the previous one. */
const FIRST_WAIT_MS = 250;

/** Bearer of each creator at each service. Kept until a build gets 401: `expiresAt` has no fixed format. */
const sessions = new Map<string, Promise<string>>();
/** Number of idempotency keys that a launch has used up. */
const usedKeys = new Map<string, number>();

/** The launch ends because of a refusal, or because there is no response. */
class GivenUp extends Error {
  readonly refused: Refusal;

  constructor(refused: Refusal) {
    super(refused.reason);
    this.refused = refused;
  }
}

/** A response contradicts the contract or the launch. */
class Distrusted extends Error {}

/**
 * Gets the unsigned draft of a launch.
 *
 * @param surroundings the transport and the clock (default: HTTP and the clock of this machine)
 */
export async function launch(task: Launch, surroundings: Surroundings = {}): Promise<Result> {
  try {
    return { draft: await new Attempt(task, surroundings).draft() };
  } catch (error) {
    if (error instanceof GivenUp) return { refused: error.refused };
    if (error instanceof Distrusted) return { distrusted: error.message };
    throw error;
  }
}

/** Reactions to a response, by status. Each returns whether another attempt makes sense. */
type Remedies = Readonly<Record<number, () => boolean>>;

class Attempt {
  readonly #task: Launch;
  readonly #transport: Transport;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #now: () => number;
  readonly #endsAt: number;

  constructor(task: Launch, { handle, sleep = realSleep, now = Date.now }: Surroundings) {
    this.#task = task;
    this.#sleep = sleep;
    this.#now = now;
    this.#endsAt = now() + task.deadlineMs;
    this.#transport = handle ?? overHttp(task.baseUrl, () => this.#endsAt - now());
  }

  async draft(): Promise<unknown> {
    const { creator, token } = this.#task;
    const { mint, name, symbol, uri } = token;
    const profile = await this.#profile();
    const mayRenew = once();
    let session = Promise.resolve("");
    const draft = await this.#ask(
      async () => {
        session = this.#session(profile);
        return {
          method: "POST",
          path: "/v1/launch/build",
          body: JSON.stringify({ creator: creator.address, mint, name, symbol, uri }),
          bearer: await session,
          idempotencyKey: this.#key(),
        };
      },
      {
        401: () => {
          this.#forget(session);
          return mayRenew();
        },
        409: () => {
          this.#takeNewKey();
          return true;
        },
      },
    );
    const doubts = doubtsAboutDraft(draft, { creator: creator.address, mint, profile });
    if (doubts !== undefined) throw new Distrusted(doubts);
    return draft;
  }

  async #profile(): Promise<Profile> {
    const body = await this.#ask(async () => ({ method: "GET", path: "/v1/platform" }));
    trust(doubtsAboutProfile(body));
    return {
      termsHash: text(body, "termsHash"),
      platform: text(body, "platform"),
      feeWallet: text(body, "feeWallet"),
      withdrawAuthority: text(body, "withdrawAuthority"),
    };
  }

  /** Returns the bearer of this creator. Concurrent launches share one sign-in. */
  #session(profile: Profile): Promise<string> {
    const known = sessions.get(this.#account);
    if (known !== undefined) return known;
    const session = this.#signIn(profile);
    sessions.set(this.#account, session);
    session.catch(() => this.#forget(session));
    return session;
  }

  #forget(session: Promise<string>): void {
    if (sessions.get(this.#account) === session) sessions.delete(this.#account);
  }

  get #account(): string {
    return `${this.#task.baseUrl} ${this.#task.creator.address}`;
  }

  /** Signs in. Sends each proof only once: after a failure, it requests and signs a new challenge. */
  async #signIn({ termsHash }: Profile): Promise<string> {
    const { address, secretKeyBase64 } = this.#task.creator;
    const session = await this.#ask(
      async () => {
        const challenge = await this.#ask(async () => ({
          method: "POST",
          path: "/v1/auth/challenge",
          body: JSON.stringify({ creator: address, termsHash }),
        }));
        trust(doubtsAboutChallenge(challenge, { creator: address, termsHash }));
        const signature = sign(null, Buffer.from(text(challenge, "message")), privateKey(secretKeyBase64));
        const signatureBase64 = signature.toString("base64");
        return {
          method: "POST",
          path: "/v1/auth/verify",
          body: JSON.stringify({ id: text(challenge, "id"), signatureBase64 }),
        };
      },
      { 401: once() },
    );
    trust(doubtsAboutSession(session));
    return text(session, "bearer");
  }

  /** Returns the idempotency key of this launch. Another process derives the same key. */
  #key(): string {
    const used = usedKeys.get(this.#launchId) ?? 0;
    return createHash("sha256").update(`${this.#launchId} ${used}`).digest("base64url");
  }

  /** Changes the idempotency key, because its draft has expired or it was used for different input. */
  #takeNewKey(): void {
    usedKeys.set(this.#launchId, (usedKeys.get(this.#launchId) ?? 0) + 1);
  }

  get #launchId(): string {
    const { baseUrl, id, creator, token } = this.#task;
    return JSON.stringify([baseUrl, id, creator.address, token.mint, token.name, token.symbol, token.uri]);
  }

  /**
   * Returns the body of the first response with status 200. After a lost response, 5xx, or 429, waits and
   * repeats the request. Any other status ends the launch, unless there is a remedy.
   */
  async #ask(next: () => Promise<Call>, remedies: Remedies = {}): Promise<Record<string, unknown>> {
    for (let tries = 1; ; tries += 1) {
      const call = await next();
      const answer = await this.#send(call);
      const body = recordOf(answer?.body);
      if (answer !== undefined && claimsTooMuch(body)) {
        throw new Distrusted(`${call.path}: the service says that it is public, or approved for production`);
      }
      if (answer?.status === 200 && !isRecord(answer.body)) throw new GivenUp(refusal(call, answer));
      if (answer?.status === 200) return body;
      if (tries === MOST_TRIES) throw new GivenUp(refusal(call, answer));
      if (answer === undefined || answer.status === 429 || answer.status >= 500) {
        await this.#pause(tries, refusal(call, answer));
      } else if (!remedies[answer.status]?.()) {
        throw new GivenUp(refusal(call, answer));
      }
    }
  }

  /** Returns the response, or undefined if it is lost. */
  async #send(call: Call): Promise<Answer | undefined> {
    try {
      return await this.#transport(call);
    } catch {
      return undefined;
    }
  }

  async #pause(tries: number, refused: Refusal): Promise<void> {
    const waitMs = FIRST_WAIT_MS * 2 ** (tries - 1) * (this.#task.retryAfterScale ?? 1);
    if (this.#now() + waitMs >= this.#endsAt) throw new GivenUp(refused);
    await this.#sleep(waitMs);
  }
}

/** Returns a function that returns true only the first time. */
function once(): () => boolean {
  let isUsed = false;
  return () => {
    const isFirst = !isUsed;
    isUsed = true;
    return isFirst;
  };
}

/** @param doubts why a response is not to be trusted, in words */
function trust(doubts: string | undefined): void {
  if (doubts) throw new Distrusted(doubts);
}

/** Returns a member that must be a string. */
function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Distrusted(`the service gave no ${name}`);
  return value;
}

/** Returns whether a body is a JSON object. A proxy may send another body. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function refusal({ method, path }: Call, answer: Answer | undefined): Refusal {
  if (answer === undefined) return { reason: `no answer to ${method} ${path}` };
  const { code } = recordOf(answer.body);
  return {
    status: answer.status,
    ...(typeof code === "string" ? { code } : {}),
    reason: `${method} ${path}`,
  };
}

/** Start of an Ed25519 private key in DER, before its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function privateKey(secretKeyBase64: string) {
  const seed = Buffer.from(secretKeyBase64, "base64").subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
