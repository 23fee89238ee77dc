import { parseDuration } from "../../engine/vectors/duration.ts";
import { BUILDS_PER_MINUTE, LIFETIME_MS, MINUTE_MS } from "../operations.ts";
import { type Command, type Pair, PROOFS, SPANS, type Who } from "./command.ts";

/** A draft that a service must hold, or held. */
interface Draft {
  readonly input: number;
  readonly spelling: number;
  readonly atMs: number;
  retries: number;
  conflicts: number;
  rebuilds: number;
}

interface Challenge {
  readonly who: Who;
  readonly atMs: number;
  readonly life: number;
  attempts: number;
  used: boolean;
}

interface Session {
  readonly who: Who;
  readonly atMs: number;
  readonly life: number;
  /** Whether it was opened by a command of its own, to which later ones can refer. */
  readonly named: boolean;
  uses: number;
}

type Build = Extract<Command, { do: "build" }>;

/** More of a kind than this makes no difference that is looked for. */
const MANY = 4;

const few = (count: number, most: number = MANY) => Math.min(count, most);

/**
 * What the model would know of a service that has answered every command of a walk as most services do: enough to tell
 * which states a command meets, before any service is asked.
 */
export class WalkState {
  nowMs = 0;
  /** How often the service was started. */
  life = 0;
  readonly sessions: Session[] = [];
  readonly challenges: Challenge[] = [];
  #drafts = new Map<string, Draft>();
  /** Keys and creators of the lives before. */
  readonly #former = new Map<string, Draft>();
  readonly #builds: Record<Who, number[]> = { alice: [], bob: [] };
  readonly #limited: Record<Who, number> = { alice: 0, bob: 0 };
  readonly #refused: Record<Who, number> = { alice: 0, bob: 0 };
  #lastCallMs = 0;
  #firstCallMs = 0;
  #lastBuildMs: number | undefined;

  /** Sessions to which commands can refer, in the order in which they were opened. */
  get named(): readonly Session[] {
    return this.sessions.filter(({ named }) => named);
  }

  /** The latest session of somebody with this life of the service. */
  current(who: Who): Session | undefined {
    return this.sessions.findLast((session) => session.who === who && session.life === this.life);
  }

  isLive({ atMs, life }: Session): boolean {
    return life === this.life && this.nowMs - atMs < LIFETIME_MS.session;
  }

  /** The state that a command meets, as far as it matters to the answer or to what it leaves behind. */
  met(command: Command): string {
    switch (command.do) {
      case "build":
        return `build ${this.#sessionMet(command)} ${this.#keyMet(command)} ${this.#minuteMet(command.who)}`;
      case "invalid":
        return `invalid ${command.fault} ${this.#draftMet(`${command.who} ${command.key}`)} ${this.#minuteMet(command.who)}`;
      case "challenge":
      case "session":
        return `${command.do} ${this.#signInsOf(command.who)}`;
      case "verify":
        return `verify ${this.#challengeMet(command)}`;
      case "wait":
        return `wait ${command.span} ${command.edge} ${command.since} ${this.#alive()}`;
      case "restart":
        return `restart ${this.#alive()} ${this.#lastCallMs === this.nowMs} ${this.#lastCallMs > this.#firstCallMs}`;
      case "crowd":
      case "together":
        return `${command.do} ${command.of} ${this.#alive()}`;
      default:
        return `${command.do} ${this.#alive()}`;
    }
  }

  /** Takes in that a command was done. */
  note(command: Command): void {
    if (command.do === "wait") this.#wait(command);
    else if (command.do === "pause") this.nowMs += command.ms;
    else if (command.do === "restart") this.#restart();
    else this.#call(command);
  }

  #call(command: Command): void {
    if (this.#lastCallMs < 0) this.#firstCallMs = this.nowMs;
    this.#lastCallMs = this.nowMs;
    if (command.do === "session") this.#signIn(command.who, true);
    else if (command.do === "challenge") this.#challenge(command.who);
    else if (command.do === "verify") this.#verify(command);
    else if (command.do === "build") this.#build(command);
    else if (command.do === "invalid") this.#refused[command.who] += 1;
    else if (command.do === "together") this.#together(command.of);
  }

  #together(of: Pair): void {
    for (const who of ["alice", "bob"] as const) {
      if (of === "builds") this.#build({ do: "build", who, key: 0, input: 0, spelling: 0, session: 0 });
      else this.#signIn(who, true);
    }
  }

  #signIn(who: Who, named: boolean): void {
    this.sessions.push({ who, atMs: this.nowMs, life: this.life, named, uses: 0 });
  }

  #challenge(who: Who): void {
    this.challenges.push({ who, atMs: this.nowMs, life: this.life, attempts: 0, used: false });
  }

  #verify(command: Extract<Command, { do: "verify" }>): void {
    const challenge = this.challenges.at(-1 - command.back);
    if (challenge === undefined) return;
    const live = challenge.life === this.life && this.nowMs - challenge.atMs < LIFETIME_MS.challenge;
    if (command.proof === 0 && live && !challenge.used) this.#signIn(challenge.who, false);
    challenge.attempts += 1;
    challenge.used = true;
  }

  #build(command: Build): void {
    const { who, key, input, spelling } = command;
    if (this.current(who) === undefined && command.session === 0) this.#signIn(who, false);
    const session = this.#sessionOf(command);
    if (session === undefined || !this.isLive(session)) {
      this.#refused[who] += 1;
      return;
    }
    session.uses += 1;
    const draft = key === 0 ? undefined : this.#drafts.get(`${who} ${key}`);
    if (draft !== undefined) {
      if (this.#isOver(draft)) draft.rebuilds += 1;
      else if (draft.input === input) draft.retries += 1;
      else draft.conflicts += 1;
      return;
    }
    this.#builds[who] = this.#recent(who);
    if (this.#builds[who].length >= BUILDS_PER_MINUTE) {
      this.#limited[who] += 1;
      return;
    }
    this.#builds[who].push(this.nowMs);
    this.#lastBuildMs = this.nowMs;
    if (key !== 0)
      this.#drafts.set(`${who} ${key}`, {
        input,
        spelling,
        atMs: this.nowMs,
        retries: 0,
        conflicts: 0,
        rebuilds: 0,
      });
  }

  #restart(): void {
    for (const [scope, draft] of this.#drafts) this.#former.set(scope, draft);
    this.#drafts = new Map();
    this.life += 1;
    this.#lastCallMs = -1;
    for (const who of ["alice", "bob"] as const) {
      this.#builds[who] = [];
      this.#limited[who] = 0;
      this.#refused[who] = 0;
    }
  }

  #wait({ span, edge, since }: Extract<Command, { do: "wait" }>): void {
    const from = {
      now: this.nowMs,
      start: 0,
      build: this.#lastBuildMs,
      challenge: this.challenges.at(-1)?.atMs,
      session: this.named.at(-1)?.atMs,
    }[since];
    const offset = { "just-before": -1, at: 0, "just-after": 1 }[edge];
    const target = (from ?? this.nowMs) + (parseDuration(SPANS[span] ?? "") ?? 0) + offset;
    this.nowMs = Math.max(this.nowMs, target);
  }

  #sessionOf({ who, session }: Build): Session | undefined {
    if (session === 0) return this.current(who);
    if (session === "former") return this.named.findLast(({ life }) => life < this.life);
    return this.named.filter((own) => own.who === who)[session - 1];
  }

  #sessionMet(command: Build): string {
    const session = this.#sessionOf(command);
    if (session === undefined) return "none";
    const own = this.sessions.filter(({ who, life }) => who === command.who && life === this.life);
    const place = own.indexOf(session);
    const age = this.isLive(session) ? "live" : session.life < this.life ? "former" : "over";
    return `${age} ${place < 0 ? "-" : few(own.length - 1 - place, 2)} ${few(session.uses, 2)} ${this.current(command.who) === undefined}`;
  }

  #keyMet({ who, key, input, spelling }: Build): string {
    if (key === 0) return "fresh";
    const scope = `${who} ${key}`;
    const draft = this.#drafts.get(scope) ?? this.#former.get(scope);
    const same = draft === undefined || draft.input === input;
    const spelt = draft === undefined || draft.spelling === spelling;
    const other = `${who === "alice" ? "bob" : "alice"} ${key}`;
    return `${this.#draftMet(scope)} ${same} ${spelt} other's ${this.#draftMet(other)}`;
  }

  #draftMet(scope: string): string {
    const draft = this.#drafts.get(scope);
    if (draft === undefined) {
      const former = this.#former.get(scope);
      if (former === undefined) return "new";
      return this.#isOver(former) ? "former over" : "former";
    }
    const { retries, conflicts, rebuilds } = draft;
    return `${this.#isOver(draft) ? "over" : "live"} ${few(retries)} ${few(conflicts, 2)} ${few(rebuilds, 2)}`;
  }

  #isOver({ atMs }: Draft): boolean {
    return this.nowMs - atMs >= LIFETIME_MS.draft;
  }

  #recent(who: Who): number[] {
    return this.#builds[who].filter((at) => this.nowMs - at < MINUTE_MS);
  }

  #minuteMet(who: Who): string {
    const other = this.#recent(who === "alice" ? "bob" : "alice").length;
    const spent = this.#recent(who).length;
    const refused = this.#refused[who] > 0;
    return `${spent} ${other > 2 ? "many" : other > 0} ${few(this.#limited[who], 2)} ${refused}`;
  }

  #challengeMet({ back, proof }: Extract<Command, { do: "verify" }>): string {
    const challenge = this.challenges.at(-1 - back);
    if (challenge === undefined) return "none";
    const { who, used, attempts, life } = challenge;
    const over = this.nowMs - challenge.atMs >= LIFETIME_MS.challenge;
    const others = this.challenges.filter(
      (other) => other !== challenge && other.who === who && !other.used && other.life === this.life,
    );
    const kind = proof === 0 ? "honest" : proof <= 2 ? Object.values(PROOFS[proof] ?? {}).length : "bad";
    const age = life < this.life ? "former" : over ? "over" : this.nowMs - challenge.atMs >= 30_000;
    return `${age} ${used} ${few(attempts, 2)} ${kind} ${few(back, 2)} ${few(others.length, 2)} ${this.#signInsOf(who)}`;
  }

  #signInsOf(who: Who): string {
    const open = this.challenges.filter((one) => one.who === who && !one.used && one.life === this.life);
    const sessions = this.sessions.filter((one) => one.who === who && this.isLive(one));
    return `${few(open.length, 2)} ${few(sessions.length, 3)}`;
  }

  /** What of each kind there is, in a word. */
  #alive(): string {
    const drafts = [...this.#drafts.values()].filter((draft) => !this.#isOver(draft));
    const last = drafts.at(-1);
    const open = this.challenges.filter(
      ({ used, life, atMs }) => !used && life === this.life && this.nowMs - atMs < LIFETIME_MS.challenge,
    );
    const told = last === undefined ? "no draft" : `${few(last.retries)} ${few(last.conflicts, 2)}`;
    return `${told} ${few(open.length, 2)} ${this.#recent("alice").length}`;
  }
}
