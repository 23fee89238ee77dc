/** Builds a sequence of actions. Assumes that the service responds as most services do. */

import { LIFETIME_MS } from "../contract/constants.ts";
import type { Fields } from "../data/json.ts";
import type { Action, RequestAction } from "./checked-case.ts";
import { advance, challenge, inputFields, type ProofName, usesChallenge, verify } from "./requests.ts";

export type ActorName = "alice" | "bob";
/** The first or second key, the first key in upper case, or a new key for each use. */
export type KeyName = "first" | "second" | "first in upper case" | "fresh";
/** `former`: the last session before a restart. A number counts back from the latest session. */
export type SessionChoice = number | "former";
/** Event from which a command measures a wait. */
export type Milestone = "now" | "build" | "challenge" | "session";

/** A challenge or a session that later commands refer to. */
interface Entry {
  readonly owner: ActorName;
  /** Name of the exchange that created the challenge or session. */
  readonly name: string;
  readonly sinceMs: number;
}

/** A build with a new key. */
interface Built {
  readonly owner: ActorName;
  readonly key: string;
  readonly fields: Fields;
}

export class Sequence {
  readonly actions: Action[] = [];
  readonly #challenges: Entry[] = [];
  /** Names of the challenges that can still open a session, unless they expire. */
  readonly #unused = new Set<string>();
  /** Sessions that the service may still accept. */
  #sessions: readonly Entry[] = [];
  #formerSessions: readonly Entry[] = [];
  readonly #builds: Built[] = [];
  readonly #milestonesMs = new Map<Milestone, number>();
  #nowMs = 0;
  #names = 0;
  /** Number of times that the keys have been renewed. */
  generation = 0;

  challenge(owner: ActorName): Entry {
    const entry = this.#entry("challenge", owner);
    this.actions.push(challenge(owner, entry.name));
    this.#challenges.push(entry);
    this.#unused.add(entry.name);
    return entry;
  }

  verify(challenge: Entry, proof: ProofName = "valid"): void {
    this.actions.push(this.proof(challenge, proof));
  }

  /** Returns a verify request for a challenge. */
  proof({ owner, name, sinceMs }: Entry, proof: ProofName = "valid"): RequestAction {
    const request = verify(name, proof, owner);
    const isLive = this.#unused.has(name) && this.#nowMs - sinceMs < LIFETIME_MS.challenge;
    if (usesChallenge(proof)) this.#unused.delete(name);
    if (!isLive || proof !== "valid") return request;
    const session = this.#entry("session", owner);
    this.#sessions = [...this.#sessions, session];
    return { ...request, as: session.name };
  }

  /** @param back number of challenges to count back from the latest */
  verifyLatest(back: number, proof: ProofName, repeat: number): void {
    const challenge = this.#challenges.at(-1 - back);
    for (let index = 0; index < repeat && challenge !== undefined; index += 1) this.verify(challenge, proof);
  }

  openSession(owner: ActorName): void {
    this.verify(this.challenge(owner));
  }

  /** Returns a session of an actor. Opens one if there is none. Returns an expired session only once. */
  session(owner: ActorName, choice: SessionChoice = 0): Entry | undefined {
    const own = (sessions: readonly Entry[]) => sessions.filter((session) => session.owner === owner);
    if (choice === "former") return own(this.#formerSessions).at(-1);
    if (own(this.#sessions).length === 0) this.openSession(owner);
    const sessions = own(this.#sessions);
    const session = sessions.at(-1 - choice) ?? sessions[0];
    const isExpired = session !== undefined && this.#nowMs - session.sinceMs >= LIFETIME_MS.verify;
    if (isExpired) this.#sessions = this.#sessions.filter((one) => one !== session);
    return session;
  }

  /** Returns a build request. If the chosen session does not exist, the request names no session. */
  buildRequest(owner: ActorName, key: string, fields: Fields, choice?: SessionChoice): RequestAction {
    const session = this.session(owner, choice);
    return {
      verb: "build",
      fields: { by: owner, ...(session && { session: `$${session.name}` }), key, ...fields },
      as: this.#newName("build"),
    };
  }

  /** Sends a build, and remembers it for retries if the key is new. */
  build(owner: ActorName, key: string, fields: Fields, choice?: SessionChoice): void {
    this.actions.push(this.buildRequest(owner, key, fields, choice));
    if (this.#builds.some((built) => built.owner === owner && built.key === key)) return;
    this.#builds.push({ owner, key, fields });
    this.#milestonesMs.set("build", this.#nowMs);
  }

  /** Sends new builds, each with its own key. */
  buildFresh(owners: readonly ActorName[], rounds = 1): void {
    for (let round = 0; round < rounds; round += 1)
      for (const owner of owners) this.build(owner, this.key("fresh"), {});
  }

  /**
   * Sends a build again.
   * @param back number of builds to count back from the latest
   * @param fields fields that differ from the first build
   */
  retry(back: number, repeat: number, fields: Fields): void {
    const built = this.#builds.at(-1 - back);
    for (let index = 0; index < repeat && built !== undefined; index += 1)
      this.build(built.owner, built.key, { ...built.fields, ...fields });
  }

  /** Retries each of the last three builds three times: the second time with changed input. */
  probeDrafts(): void {
    for (const back of [0, 1, 2])
      for (const input of ["usual", "name", "usual"] as const) this.retry(back, 1, inputFields(input));
  }

  restart(): void {
    this.actions.push({ verb: "restart" });
    this.#unused.clear();
    this.#formerSessions = this.#sessions;
    this.#sessions = [];
  }

  wait(ms: number): void {
    if (ms <= 0) return;
    this.actions.push(advance(ms));
    this.#nowMs += ms;
  }

  /** Waits until a time after a milestone. */
  waitUntil(since: Milestone, afterMs: number): void {
    this.wait((this.#milestonesMs.get(since) ?? this.#nowMs) + afterMs - this.#nowMs);
  }

  key(name: KeyName): string {
    if (name === "fresh") return this.#newName("fresh-key-");
    const key = `key-${this.generation}-${name === "second" ? "second" : "first"}`;
    return name === "first in upper case" ? key.toUpperCase() : key;
  }

  #entry(kind: "challenge" | "session", owner: ActorName): Entry {
    this.#milestonesMs.set(kind, this.#nowMs);
    return { owner, name: this.#newName(kind), sinceMs: this.#nowMs };
  }

  #newName(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }
}
