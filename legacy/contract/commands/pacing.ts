import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import type { Pacing, Round } from "../../engine/search/sequence-runner.ts";
import { QUIET_MS } from "../model/rate-belief.ts";
import { LIFETIME_MS } from "../operations.ts";
import type { Command } from "./command.ts";
import { isStale } from "./command-set.ts";
import { isOfHour } from "./rounds.ts";

/** The most that a sequence takes of a session before it waits for its end, in ms. */
const SEQUENCE_MS = 4 * 60_000;
/** Share of the room for drafts that one instance of the service may use. */
const ROOM_USED = 0.5;
/** Room for drafts where the implementation does not state it. */
const LEAST_ROOM = 40;

/**
 * Keeps the sequences of one service apart: between two, so much time passes that nothing of the one matters to the
 * next but its sessions, which are opened once and used by as many sequences as their hour holds.
 */
export class SessionPacing implements Pacing<Command> {
  readonly #pause: Command;
  readonly #mostDrafts: number;
  #played = 0;
  #startedMs: number;
  #drafts = 0;
  /** Whether alice has a session, and whether it is one that later commands can refer to. */
  #open = false;
  #referable = false;

  /** @param timekeeping how late the service may end what lives for a time */
  constructor({ facts }: ImplementationInfo, nowMs: number, { lives, others }: Timekeeping) {
    this.#startedMs = nowMs;
    // What was never seen to end cannot be waited for: the model takes it into account.
    const late = [others, ...lives].map(({ lateMs }) => lateMs).filter(Number.isFinite);
    this.#pause = { do: "pause", ms: QUIET_MS + 1 + Math.max(...late) };
    this.#mostDrafts = (facts.capacity.drafts ?? LEAST_ROOM) * ROOM_USED;
  }

  before(round: Round<Command>, nowMs: number): readonly Command[] {
    const commands: Command[] = [];
    const pauseMs = this.#played > 0 && this.#pause.do === "pause" ? this.#pause.ms : 0;
    if (pauseMs > 0) commands.push(this.#pause);
    const age = nowMs + pauseMs - this.#startedMs;
    const tooOld = age + round.length * SEQUENCE_MS > LIFETIME_MS.session;
    const anew = this.#played === 0 || tooOld || this.#drafts > this.#mostDrafts;
    this.#played += 1;
    if (anew) commands.push({ do: "restart" });
    const opens = needsSession(round)
      ? anew || !this.#referable
      : (anew || !this.#open) && round.flat().some(usesSession);
    if (opens) commands.push({ do: "session", who: "alice" });
    return commands;
  }

  between([first = []]: Round<Command>): readonly Command[] {
    return isOfHour(first) ? [this.#pause] : [];
  }

  /** The session that would be opened anyway is opened by itself, so that it can be referred to. */
  after(next: readonly Command[]): readonly Command[] {
    const opens = !this.#open && next.some(usesSession) && !next.some(isStale);
    return opens ? [{ do: "session", who: "alice" }] : [];
  }

  note(command: Command, nowMs: number, status: number | undefined): void {
    if (command.do === "build" && status === 200) this.#drafts += 1;
    if (usesSession(command) || command.do === "session") this.#open = true;
    if (command.do === "session") this.#referable = true;
    if (command.do === "verify" && command.proof === 0) this.#referable = false;
    if (command.do !== "restart") return;
    this.#startedMs = nowMs;
    this.#drafts = 0;
    this.#open = false;
    this.#referable = false;
  }
}

/** A sequence as it is played by itself. */
export function alone(sequence: readonly Command[]): readonly Command[] {
  return needsSession([sequence]) ? [{ do: "session", who: "alice" }, ...sequence] : sequence;
}

/** Whether a command uses the session of alice's day, and opens one where there is none. */
function usesSession(command: Command): boolean {
  return (command.do === "build" || command.do === "invalid") && command.who === "alice" && !isStale(command);
}

/** What is said of a session needs one that can be referred to. */
function needsSession(round: Round<Command>): boolean {
  return round.some((sequence) => isOfHour(sequence) || sequence.some(isStale));
}
