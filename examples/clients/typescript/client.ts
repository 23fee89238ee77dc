/**
 * A client of the offline launch-draft service (contract `partner-preview-1`). It signs in as a creator, asks for the draft
 * of one launch, and looks at the draft before it believes it. Copy this folder; `main.ts` makes a program of it.
 */
import { createHash, createPrivateKey, sign } from "node:crypto";
import { overHttp } from "./http.ts";
import type { Answer, Call, Launch, Refusal, Result, Surroundings, Transport } from "./protocol.ts";
import { claimsTooMuch, doubtsAboutDraft, type Profile } from "./trust.ts";

/** Who it is, for reports. */
export const client = { name: "example-client", version: "1.0.0", language: "TypeScript" };

/** How often one thing is asked for before a launch is given up. */
const MOST_TRIES = 4;
/** The first wait before another try; each is twice as long as the one before. */
const FIRST_WAIT_MS = 250;

/** The bearer of each creator at each service: kept until the service calls it invalid, whatever `expiresAt` looks like. */
const sessions = new Map<string, Promise<string>>();
/** How many keys of a launch are used up. */
const usedKeys = new Map<string, number>();

/** The launch is given up, for what was answered, or for want of an answer. */
class GivenUp extends Error {
  readonly refused: Refusal;

  constructor(refused: Refusal) {
    super(refused.reason);
    this.refused = refused;
  }
}

/** The service, or its draft, is not what the contract or the launch says. */
class Distrusted extends Error {}

/**
 * Gets the unsigned draft of a launch.
 *
 * @param surroundings how the service is reached, and the clock; HTTP and the machine's, unless told
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

/** What to do about a status, and whether that makes another try worth while. */
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
    return {
      termsHash: text(body, "termsHash"),
      platform: text(body, "platform"),
      feeWallet: text(body, "feeWallet"),
      withdrawAuthority: text(body, "withdrawAuthority"),
    };
  }

  /** The bearer of this creator. Launches that run side by side sign in once. */
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

  /** Proves who the creator is. A proof is sent once: whatever goes wrong with it, the next is over a new challenge. */
  async #signIn({ termsHash }: Profile): Promise<string> {
    const { address, secretKeyBase64 } = this.#task.creator;
    const session = await this.#ask(
      async () => {
        const challenge = await this.#ask(async () => ({
          method: "POST",
          path: "/v1/auth/challenge",
          body: JSON.stringify({ creator: address, termsHash }),
        }));
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
    return text(session, "bearer");
  }

  /** The key of this launch: the same whenever it is tried again, in another process, too. */
  #key(): string {
    const used = usedKeys.get(this.#launchId) ?? 0;
    return createHash("sha256").update(`${this.#launchId} ${used}`).digest("base64url");
  }

  /** The draft of the key has expired, or the key stands for something else. */
  #takeNewKey(): void {
    usedKeys.set(this.#launchId, (usedKeys.get(this.#launchId) ?? 0) + 1);
  }

  get #launchId(): string {
    const { baseUrl, id, creator, token } = this.#task;
    return JSON.stringify([baseUrl, id, creator.address, token.mint, token.name, token.symbol, token.uri]);
  }

  /**
   * Gives the body of the first answer with status 200. What passes by itself (no answer, 5xx, 429) is waited for; for other
   * statuses there may be a remedy; what is left is the end of the launch.
   */
  async #ask(next: () => Promise<Call>, remedies: Remedies = {}): Promise<Record<string, unknown>> {
    for (let tries = 1; ; tries += 1) {
      const call = await next();
      const answer = await this.#send(call);
      const body = recordOf(answer?.body);
      if (answer !== undefined && claimsTooMuch(body)) {
        throw new Distrusted(`${call.path}: the service says that it is public, or approved for production`);
      }
      if (answer?.status === 200) return body;
      if (tries === MOST_TRIES) throw new GivenUp(refusal(call, answer));
      if (answer === undefined || answer.status === 429 || answer.status >= 500) {
        await this.#pause(tries, refusal(call, answer));
      } else if (!remedies[answer.status]?.()) {
        throw new GivenUp(refusal(call, answer));
      }
    }
  }

  /** The answer; undefined where it is lost. */
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

/** A remedy that helps once. */
function once(): () => boolean {
  let isUsed = false;
  return () => {
    const isFirst = !isUsed;
    isUsed = true;
    return isFirst;
  };
}

/** A member that must be text. */
function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Distrusted(`the service gave no ${name}`);
  return value;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
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

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function privateKey(secretKeyBase64: string) {
  const seed = Buffer.from(secretKeyBase64, "base64").subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
