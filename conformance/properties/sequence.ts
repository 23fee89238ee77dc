/** A random sequence in progress: what its commands have created, and the requests that commands share. */
import type { Fields } from "../adapters/json.ts";
import type { CheckedRun, RequestAction } from "./checked-run.ts";
import { inputFields, type ProofName, proofFields } from "./requests.ts";

export type ActorName = "alice" | "bob";
/** Two keys, the first of them in upper case, and keys that are used once. */
export type KeyName = "first" | "second" | "first in upper case" | "fresh";
/** The last session before a restart, or a number that counts back from the latest session. */
export type SessionChoice = number | "former";
/** Event from which a command counts a wait. */
export type Milestone = "now" | "build" | "challenge" | "session";

/** A challenge or a session that later commands refer to. */
interface Entry {
  readonly owner: ActorName;
  /** Name of the exchange that created it. */
  readonly name: string;
}

/** A successful build with a new key. */
interface Built {
  readonly owner: ActorName;
  readonly key: string;
  readonly fields: Fields;
}

export class Sequence {
  readonly checked: CheckedRun;
  readonly #challenges: Entry[] = [];
  /** Sessions that may still work. */
  #sessions: readonly Entry[] = [];
  #formerSessions: readonly Entry[] = [];
  readonly #builds: Built[] = [];
  readonly #milestonesMs = new Map<Milestone, number>();
  #names = 0;
  #freshKeys = 0;
  #generation = 0;

  constructor(checked: CheckedRun) {
    this.checked = checked;
  }

  /** Number of times that the keys have been renewed. */
  get generation(): number {
    return this.#generation;
  }

  /** Requests a challenge. Returns its name, or undefined if the service refuses. */
  async challenge(owner: ActorName): Promise<string | undefined> {
    const name = this.#newName("challenge");
    const { status } = await this.checked.request({
      verb: "challenge",
      fields: { for: owner },
      as: name,
    });
    if (status !== 200) return undefined;
    this.#challenges.push({ owner, name });
    this.#reach("challenge");
    return name;
  }

  /** Sends a proof of a challenge. */
  async verify({ owner, name }: Entry, proof: ProofName = "valid"): Promise<void> {
    const action = this.proof({ owner, name }, proof);
    const { status } = await this.checked.request(action);
    if (status === 200) this.addSession(owner, action.as);
  }

  /** Returns a request to prove a challenge. */
  proof({ owner, name }: Entry, proof: ProofName = "valid"): RequestAction & { readonly as: string } {
    const fields = proofFields(name, proof, owner === "alice" ? "bob" : "alice");
    return { verb: "verify", fields, as: this.#newName("session") };
  }

  addSession(owner: ActorName, name: string): void {
    this.#sessions = [...this.#sessions, { owner, name }];
    this.#reach("session");
  }

  /** @param back number of challenges to count back from the latest */
  async verifyLatest(back: number, proof: ProofName, repeat: number): Promise<void> {
    const challenge = this.#challenges.at(-1 - back);
    if (challenge === undefined) return;
    for (let index = 0; index < repeat; index += 1) await this.verify(challenge, proof);
  }

  async openSession(owner: ActorName): Promise<void> {
    const name = await this.challenge(owner);
    if (name !== undefined) await this.verify({ owner, name });
  }

  /** Returns the name of a session. Opens one if the actor has none. */
  async session(owner: ActorName, choice: SessionChoice = 0): Promise<string | undefined> {
    const own = (sessions: readonly Entry[]) => sessions.filter((session) => session.owner === owner);
    if (choice === "former") return own(this.#formerSessions).at(-1)?.name;
    if (own(this.#sessions).length === 0) await this.openSession(owner);
    const sessions = own(this.#sessions);
    return (sessions.at(-1 - choice) ?? sessions[0])?.name;
  }

  /** Returns a build request, or undefined if the actor has no session. */
  async buildAction(owner: ActorName, key: string, fields: Fields, choice?: SessionChoice) {
    const session = await this.session(owner, choice);
    if (session === undefined) return undefined;
    const action = { verb: "build", fields: { by: owner, session: `$${session}`, key, ...fields } } as const;
    return { ...action, as: this.#newName("build"), session };
  }

  /** Sends a build, and keeps it for retries if it succeeds with a new key. */
  async build(owner: ActorName, key: string, fields: Fields, choice?: SessionChoice): Promise<void> {
    const action = await this.buildAction(owner, key, fields, choice);
    if (action === undefined) return;
    const { status, body } = await this.checked.request(action);
    if (body["code"] === "UNAUTHORIZED")
      this.#sessions = this.#sessions.filter(({ name }) => name !== action.session);
    const isKnown = this.#builds.some((built) => built.owner === owner && built.key === key);
    if (isKnown || status !== 200) return;
    this.#builds.push({ owner, key, fields });
    this.#reach("build");
  }

  /** Sends new builds, each with its own key. */
  async buildFresh(owners: readonly ActorName[]): Promise<void> {
    for (const owner of owners) await this.build(owner, this.key("fresh"), {});
  }

  /**
   * Sends a build again.
   * @param back number of builds to count back from the latest
   * @param fields what differs
   */
  async retry(back: number, repeat: number, fields: Fields): Promise<void> {
    const built = this.#builds.at(-1 - back);
    for (let index = 0; index < repeat && built !== undefined; index += 1)
      await this.build(built.owner, built.key, { ...built.fields, ...fields });
  }

  /** Retries each of the last drafts, then changes its input, then retries it once more. */
  async probeDrafts(): Promise<void> {
    for (const back of [0, 1, 2])
      for (const input of ["usual", "name", "usual"] as const) await this.retry(back, 1, inputFields(input));
  }

  async restart(): Promise<void> {
    this.#formerSessions = this.#sessions;
    this.#sessions = [];
    await this.checked.restart();
  }

  /** Waits until a time after a milestone. */
  async waitUntil(since: Milestone, afterMs: number): Promise<void> {
    const { nowMs } = this.checked;
    await this.checked.advance((this.#milestonesMs.get(since) ?? nowMs) + afterMs - nowMs);
  }

  /** From here on, keys other than `fresh` are new. */
  renewKeys(): void {
    this.#generation += 1;
  }

  key(name: KeyName): string {
    if (name === "fresh") {
      this.#freshKeys += 1;
      return `fresh-key-${this.#freshKeys}`;
    }
    const key = `key-${this.#generation}-${name === "second" ? "second" : "first"}`;
    return name === "first in upper case" ? key.toUpperCase() : key;
  }

  #newName(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }

  #reach(milestone: Milestone): void {
    this.#milestonesMs.set(milestone, this.checked.nowMs);
  }
}
