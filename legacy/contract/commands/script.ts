import { graceOf, type Timekeeping } from "../../engine/play/timekeeping.ts";
import type { Script } from "../../engine/search/commands.ts";
import { StepMaker } from "../../engine/search/step-maker.ts";
import { formatDuration, parseDuration } from "../../engine/vectors/duration.ts";
import type { Fields, Step } from "../../engine/vectors/vector.ts";
import { BUILDS_PER_MINUTE } from "../operations.ts";
import { ownFields } from "../own-texts.ts";
import type { Verb } from "../verbs/vocabulary.ts";
import {
  BUILD_FAULTS,
  type Command,
  INPUTS,
  keyText,
  PROBES,
  PROOFS,
  REQUESTS,
  SPANS,
  SPELLINGS_USED,
  type Who,
} from "./command.ts";

/** Those who come in crowds, and how often each: as often as a creator may build in a minute. */
const OTHERS = ["carol", "dave", "erin", "mallory"];
const TIMES_EACH = BUILDS_PER_MINUTE;
const PEOPLE: readonly Who[] = ["alice", "bob"];

/** A build under a key of its own choice. */
interface Asked {
  readonly scope: string;
  readonly who: Who;
  readonly fields: Fields;
}

/** A step that later ones can refer to. */
interface Named {
  readonly name: string;
  readonly operation: string;
  readonly who?: Who;
  readonly atMs: number;
}

/** Makes the steps of a sequence of commands. A command that has nothing to act on is left out. */
export class CommandScript implements Script<Command> {
  readonly #maker: StepMaker;
  readonly #timekeeping: Timekeeping;
  readonly #label: string;
  #nowMs = 0;
  #first: Named | undefined;
  #challenges: Named[] = [];
  #sessions: Named[] = [];
  #builds: Named[] = [];
  /** The last session before the service started anew. */
  #former: Named | undefined;
  /** Creators and keys that had a build with this instance of the service. */
  #scopes = new Set<string>();
  /** The first build of every creator and key with the instance of the service that had it last; the latest at the end. */
  #asked: Asked[] = [];

  /**
   * @param timekeeping how early and late the service may end what lives for a time: waits keep clear of it
   * @param label what the labels of the run's people begin with: its texts come of it
   */
  constructor(timekeeping: Timekeeping, label: string, prefix = "") {
    this.#label = label;
    this.#timekeeping = timekeeping;
    this.#maker = new StepMaker(prefix);
  }

  /** The other sequence knows the session that was opened last. */
  branch(prefix: string): CommandScript {
    const branch = new CommandScript(this.#timekeeping, this.#label, prefix);
    const session = this.#sessions.at(-1);
    if (session !== undefined) branch.#sessions = [{ ...session, atMs: 0 }];
    return branch;
  }

  step(command: Command): Step | undefined {
    switch (command.do) {
      case "challenge":
        return this.#request("challenge", { for: command.who }, this.#challenges, command.who);
      case "session":
        return this.#request("session", { for: command.who }, this.#sessions, command.who);
      case "verify":
        return this.#verify(command);
      case "build":
        return this.#build(command.who, this.#buildFields(command));
      case "change":
        return this.#change(command);
      case "again": {
        const earlier = this.#asked.at(-1 - command.back);
        return earlier && this.#build(earlier.who, earlier.fields);
      }
      case "invalid":
        return this.#request("build", { ...keyField(command.key), ...faultOf(command) });
      case "wait":
        return this.#wait(command);
      case "pause":
        this.#nowMs += command.ms;
        return this.#maker.advance(formatDuration(command.ms));
      case "restart":
        this.#scopes.clear();
        this.#former = this.#sessions.at(-1);
        return this.#maker.restart();
      case "request":
        return this.#request("request", REQUESTS[command.request] ?? {});
      case "probe":
        return this.#probe(command);
      case "crowd":
        return this.#crowd(command);
      case "together":
        return this.#together(command);
    }
  }

  #probe({ probe }: Extract<Command, { do: "probe" }>): Step | undefined {
    const [verb, fields] = PROBES[probe] ?? [];
    return verb === undefined || fields === undefined ? undefined : this.#request(verb, fields);
  }

  #crowd({ of, each }: Extract<Command, { do: "crowd" }>): Step {
    const ask = { challenges: "challenge", sessions: "session", builds: "build" } as const;
    const field = of === "builds" ? "by" : "for";
    return this.#maker.repeat(
      each ?? TIMES_EACH,
      OTHERS.map((name) => [ask[of], { [field]: name }] as const),
    );
  }

  /** Each builds under a fresh key, or proves the last challenge: the sessions are as good as any. */
  #together({ of }: Extract<Command, { do: "together" }>): Step | undefined {
    if (of === "builds") return this.#maker.together(PEOPLE.map((by) => ["build", { by }] as const));
    const challenges = PEOPLE.flatMap((who) => this.#challenges.findLast((one) => one.who === who) ?? []);
    if (challenges.length < PEOPLE.length) return undefined;
    const step = this.#maker.together(
      challenges.map(({ name }) => ["verify", { challenge: `$${name}` }] as const),
    );
    for (const [place, who] of PEOPLE.entries()) {
      const { as: name = "" } = step.steps[place] ?? {};
      this.#sessions.push({ name, operation: "verify", who, atMs: this.#nowMs });
    }
    return step;
  }

  /** @param among those of its kind, where later commands may refer to it */
  #request(verb: Verb, fields: Fields, among?: Named[], who?: Who): Step {
    const step = this.#maker.request(verb, ownFields(fields, this.#label));
    const operation = verb === "session" ? "verify" : verb;
    const named = { name: step.as, operation, atMs: this.#nowMs, ...(who === undefined ? {} : { who }) };
    this.#first ??= named;
    among?.push(named);
    return step;
  }

  #build(who: Who, fields: Fields | undefined): Step | undefined {
    if (fields === undefined) return undefined;
    const built: Named[] = [];
    const step = this.#request("build", fields, built, who);
    const { key } = fields;
    const scope = `${who} ${String(key ?? step.as)}`;
    if (this.#scopes.has(scope)) return step;
    this.#scopes.add(scope);
    this.#builds.push(...built);
    if (key !== undefined)
      this.#asked = [...this.#asked.filter((earlier) => earlier.scope !== scope), { scope, who, fields }];
    return step;
  }

  #change({ back, input }: Extract<Command, { do: "change" }>): Step | undefined {
    const earlier = this.#asked.at(-1 - back);
    if (earlier === undefined) return undefined;
    const { by = null, session, key = null } = earlier.fields;
    const given = session === undefined ? {} : { session };
    return this.#build(earlier.who, { by, ...given, key, ...INPUTS[input] });
  }

  #verify({ back, proof }: Extract<Command, { do: "verify" }>): Step | undefined {
    const challenge = this.#challenges.at(-1 - back) ?? this.#challenges.at(-1);
    if (challenge === undefined) return undefined;
    const other = this.#challenges.findLast(({ name }) => name !== challenge.name);
    // A proof for another challenge takes the place of the last way to fail where there is another.
    const foreign = proof === PROOFS.length - 1 && other !== undefined;
    const fields: Fields = foreign ? { proof: { over: `$${other.name}.message` } } : (PROOFS[proof] ?? {});
    return this.#request("verify", { challenge: `$${challenge.name}`, ...fields });
  }

  #buildFields(command: Extract<Command, { do: "build" }>): Fields | undefined {
    const own = this.#sessions.filter(({ who }) => who === command.who);
    const former = command.session === "former";
    if (former && this.#former === undefined) return undefined;
    const session =
      command.session === "former"
        ? this.#former
        : command.session === 0
          ? undefined
          : own[command.session - 1];
    const spelling = SPELLINGS_USED[command.spelling] ?? "compact";
    return {
      by: command.who,
      ...(session === undefined ? {} : { session: `$${session.name}` }),
      ...keyField(command.key),
      ...INPUTS[command.input],
      ...(spelling === "compact" ? {} : { spelling }),
    };
  }

  #wait({ span, edge, since }: Extract<Command, { do: "wait" }>): Step | undefined {
    const text = SPANS[span] ?? SPANS[0];
    const from = {
      now: undefined,
      start: this.#first,
      build: this.#builds.at(-1),
      challenge: this.#challenges.at(-1),
      session: this.#sessions.at(-1),
    }[since];
    const spanMs = parseDuration(text) ?? 0;
    const { earlyMs, lateMs } = graceOf(this.#timekeeping, spanMs, from?.operation);
    const offset = { "just-before": -1 - earlyMs, at: 0, "just-after": 1 + lateMs }[edge];
    const target = (from?.atMs ?? this.#nowMs) + spanMs + offset;
    if (target < this.#nowMs || target === Number.POSITIVE_INFINITY) return undefined;
    this.#nowMs = target;
    return this.#maker.advance({ [edge]: text, ...(from === undefined ? {} : { since: `$${from.name}` }) });
  }
}

function keyField(index: number): Fields {
  const key = keyText(index);
  return key === undefined ? {} : { key };
}

/** The fields of a fault; `$who` stands for its creator, `$other` for the other one. */
function faultOf({ who, fault }: Extract<Command, { do: "invalid" }>): Fields {
  const names: Fields = { $who: `$${who}`, $other: who === "alice" ? "$bob" : "$alice" };
  const fields = Object.entries(BUILD_FAULTS[fault] ?? {});
  const named = fields.map(([name, value]) => [
    name,
    (typeof value === "string" ? names[value] : undefined) ?? value,
  ]);
  return { by: who, ...Object.fromEntries(named) };
}
