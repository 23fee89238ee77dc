/** The history of a case, and the actions of commands that refer to it. */
import type { Exchange } from "../contract/exchange.ts";
import type { Fields } from "../data/json.ts";
import {
  type Action,
  advance,
  challenge,
  inputFields,
  type ProofName,
  type RequestAction,
  verify,
} from "./actions.ts";

export type ActorName = "alice" | "bob";
/** The first or second key, the first key in upper case, or a new key for each use. */
export type KeyName = "first" | "second" | "first in upper case" | "fresh";
/** `former`: the last session before a restart. A number counts back from the latest session. */
export type SessionChoice = number | "former";
/** Event from which a command measures a wait. */
export type Milestone = "now" | "build" | "challenge" | "session";

/**
 * Actions that depend on the history when they are played, such as a proof of the latest challenge. Each
 * action is played before the next one is computed.
 */
export type Command = (past: Past) => Iterable<Action>;

/** The actions of a part of a command, and its result. */
type Actions<Value = void> = Generator<Action, Value>;

/** A challenge or session that the service created. */
interface Entry {
  readonly owner: string;
  /** Name of the exchange that created it. */
  readonly name: string;
}

/** A build with a new key. */
interface Built {
  readonly owner: ActorName;
  readonly key: string;
  readonly fields: Fields;
}

export class Past {
  readonly #now: () => number;
  readonly #challenges: Entry[] = [];
  #sessions: readonly Entry[] = [];
  #formerSessions: readonly Entry[] = [];
  readonly #builds: Built[] = [];
  readonly #milestonesMs = new Map<Milestone, number>();
  #names = 0;
  /** Number of times that the keys have been renewed. */
  #generation = 0;

  /** @param now returns the time of the service's clock, in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records what a request has created. */
  record({ verb, fields, as: name = "" }: RequestAction, { status }: Exchange): void {
    if (verb === "build") this.#recordBuild(fields, status);
    if (status !== 200) return;
    if (verb === "challenge") {
      this.#challenges.push({ owner: String(fields["for"]), name });
      this.#milestonesMs.set("challenge", this.#now());
    }
    const proven = this.#challenges.find((one) => `$${one.name}` === fields["challenge"]);
    if (verb === "verify" && proven !== undefined) {
      this.#sessions = [...this.#sessions, { owner: proven.owner, name }];
      this.#milestonesMs.set("session", this.#now());
    }
  }

  /** Remembers a build for retries if its key is new. Forgets a session that the service refused. */
  #recordBuild({ by, session, key, ...fields }: Fields, status: number | undefined): void {
    if (status === 401) this.#sessions = this.#sessions.filter(({ name }) => `$${name}` !== session);
    const isNew = !this.#builds.some((built) => built.owner === by && built.key === key);
    if (!isNew || typeof key !== "string" || (status !== 200 && status !== 429)) return;
    this.#builds.push({ owner: by as ActorName, key, fields });
    this.#milestonesMs.set("build", this.#now());
  }

  recordRestart(): void {
    this.#formerSessions = this.#sessions;
    this.#sessions = [];
  }

  *challenge(owner: ActorName): Actions<Entry> {
    const name = this.#newName("challenge");
    yield challenge(owner, name);
    return { owner, name };
  }

  *challenges(owners: readonly ActorName[]): Actions<Entry[]> {
    const entries: Entry[] = [];
    for (const owner of owners) entries.push(yield* this.challenge(owner));
    return entries;
  }

  proof({ owner, name }: Entry, proof: ProofName = "valid"): RequestAction {
    return { ...verify(name, proof, owner), as: this.#newName("session") };
  }

  /** @param back number of challenges to count back from the latest */
  *verifyLatest(back: number, proof: ProofName, repeat: number): Actions {
    const latest = this.#challenges.at(-1 - back);
    for (let index = 0; index < repeat && latest !== undefined; index += 1) yield this.proof(latest, proof);
  }

  *openSession(owner: ActorName): Actions {
    yield this.proof(yield* this.challenge(owner));
  }

  /** Returns the name of a session of an actor, if it exists. Opens one if the actor has none. */
  *session(owner: ActorName, choice: SessionChoice = 0): Actions<string | undefined> {
    const own = (sessions: readonly Entry[]) => sessions.filter((session) => session.owner === owner);
    if (choice === "former") return own(this.#formerSessions).at(-1)?.name;
    if (own(this.#sessions).length === 0) yield* this.openSession(owner);
    const sessions = own(this.#sessions);
    return (sessions.at(-1 - choice) ?? sessions[0])?.name;
  }

  /** Returns a build request. If the chosen session does not exist, the request names no session. */
  *buildRequest(
    owner: ActorName,
    key: string,
    fields: Fields,
    choice?: SessionChoice,
  ): Actions<RequestAction> {
    const session = yield* this.session(owner, choice);
    return {
      verb: "build",
      fields: { by: owner, ...(session !== undefined && { session: `$${session}` }), key, ...fields },
      as: this.#newName("build"),
    };
  }

  *build(owner: ActorName, key: string, fields: Fields, choice?: SessionChoice): Actions {
    yield yield* this.buildRequest(owner, key, fields, choice);
  }

  /** Sends new builds, each with its own key. */
  *buildFresh(owners: readonly ActorName[], rounds = 1): Actions {
    for (let round = 0; round < rounds; round += 1)
      for (const owner of owners) yield* this.build(owner, this.key("fresh"), {});
  }

  /**
   * Sends a build again.
   * @param back number of builds to count back from the latest
   * @param fields fields that differ from the first build
   */
  *retry(back: number, repeat: number, fields: Fields): Actions {
    const built = this.#builds.at(-1 - back);
    for (let index = 0; index < repeat && built !== undefined; index += 1)
      yield* this.build(built.owner, built.key, { ...built.fields, ...fields });
  }

  /** Retries each of the last three builds three times: the second time with changed input. */
  *probeDrafts(): Actions {
    for (const back of [0, 1, 2])
      for (const input of ["usual", "name", "usual"] as const) yield* this.retry(back, 1, inputFields(input));
  }

  *waitUntil(since: Milestone, afterMs: number): Actions {
    const nowMs = this.#now();
    yield advance((this.#milestonesMs.get(since) ?? nowMs) + afterMs - nowMs);
  }

  key(name: KeyName): string {
    if (name === "fresh") return this.#newName("fresh-key-");
    const key = `key-${this.#generation}-${name === "second" ? "second" : "first"}`;
    return name === "first in upper case" ? key.toUpperCase() : key;
  }

  /** Renews the first and the second key. Returns how often they have been renewed. */
  renewKeys(): number {
    this.#generation += 1;
    return this.#generation;
  }

  #newName(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }
}
