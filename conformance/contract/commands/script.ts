import { StepList } from "../../engine/search/step-list.ts";
import { parseDuration } from "../../engine/vectors/duration.ts";
import type { Fields, OperationVerb, Step } from "../../engine/vectors/vector.ts";
import {
  type Action,
  BUILD_FAULTS,
  INPUTS,
  KEYS,
  PROOFS,
  REQUESTS,
  SPANS,
  SPELLINGS_USED,
  type Who,
} from "./action.ts";

/** A build under a key of its own choice. */
interface Asked {
  readonly scope: string;
  readonly who: Who;
  readonly fields: Fields;
}

interface Named {
  readonly name: string;
  readonly who?: Who;
  readonly atMs: number;
}

/**
 * Turns actions into the steps of a vector. An action that has nothing to act on is left out.
 * @param lateMs how far past a limit the service's clock may be late: `just-after` waits so much longer
 */
export function scriptOf(actions: readonly Action[], lateMs: number): readonly Step[] {
  const script = new Script(lateMs);
  for (const action of actions) script.add(action);
  return script.steps;
}

class Script {
  readonly #list = new StepList();
  readonly #lateMs: number;
  #nowMs = 0;
  #challenges: Named[] = [];
  #sessions: Named[] = [];
  #builds: Named[] = [];
  /** Creators and keys that had a build in this life of the service. */
  #scopes = new Set<string>();
  /** The first build of every creator and key in the life of the service that had it last; the latest at the end. */
  #asked: Asked[] = [];

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  get steps(): readonly Step[] {
    return this.#list.steps;
  }

  add(action: Action): void {
    switch (action.do) {
      case "challenge":
        this.#challenges.push(this.#operation("challenge", { for: action.who }, "challenge", action.who));
        return;
      case "session":
        this.#sessions.push(this.#operation("session", { for: action.who }, "session", action.who));
        return;
      case "verify":
        this.#verify(action);
        return;
      case "build":
        this.#build(action.who, this.#buildFields(action));
        return;
      case "change": {
        const earlier = this.#asked.at(-1 - action.back);
        if (earlier === undefined) return;
        const { by = null, session, key = null } = earlier.fields;
        this.#build(earlier.who, {
          by,
          ...(session === undefined ? {} : { session }),
          key,
          ...INPUTS[action.input],
        });
        return;
      }
      case "again": {
        const earlier = this.#asked.at(-1 - action.back);
        for (let time = 0; time < action.times && earlier !== undefined; time++)
          this.#build(earlier.who, earlier.fields);
        return;
      }
      case "invalid":
        this.#operation("build", { ...keyField(action.key), ...faultOf(action) }, "build", action.who);
        return;
      case "burst":
        for (let count = 0; count < action.count; count++) {
          this.#build(action.who, { by: action.who });
        }
        return;
      case "wait":
        this.#wait(action);
        return;
      case "restart":
        this.#list.restart();
        this.#scopes.clear();
        return;
      case "request":
        this.#operation("request", REQUESTS[action.request] ?? {}, "request");
    }
  }

  #build(who: Who, fields: Fields): void {
    const build = this.#operation("build", fields, "build", who);
    const { key } = fields;
    const scope = `${who} ${String(key ?? build.name)}`;
    if (this.#scopes.has(scope)) return;
    this.#scopes.add(scope);
    this.#builds.push(build);
    if (key !== undefined)
      this.#asked = [...this.#asked.filter((earlier) => earlier.scope !== scope), { scope, who, fields }];
  }

  #verify({ back, proof }: Extract<Action, { do: "verify" }>): void {
    if (this.#challenges.length === 0) this.add({ do: "challenge", who: "alice" });
    const challenge = this.#challenges.at(-1 - back) ?? this.#challenges.at(-1);
    if (challenge === undefined) return;
    const other = this.#challenges.findLast(({ name }) => name !== challenge.name);
    // A proof for another challenge takes the place of the last way to fail where there is another.
    const foreign = proof === PROOFS.length - 1 && other !== undefined;
    const fields: Fields = foreign ? { proof: { over: `$${other.name}.message` } } : (PROOFS[proof] ?? {});
    this.#operation("verify", { challenge: `$${challenge.name}`, ...fields }, "verify", challenge.who);
  }

  #buildFields(action: Extract<Action, { do: "build" }>): Fields {
    const own = this.#sessions.filter(({ who }) => who === action.who);
    const session = action.session === 0 ? undefined : own[action.session - 1];
    const spelling = SPELLINGS_USED[action.spelling] ?? "compact";
    return {
      by: action.who,
      ...(session === undefined ? {} : { session: `$${session.name}` }),
      ...keyField(action.key),
      ...INPUTS[action.input],
      ...(spelling === "compact" ? {} : { spelling }),
    };
  }

  #wait({ span, edge, since }: Extract<Action, { do: "wait" }>): void {
    const text = SPANS[span] ?? "30s";
    const from = {
      now: undefined,
      build: this.#builds,
      challenge: this.#challenges,
      session: this.#sessions,
    }[since]?.at(-1);
    const offset = { "just-before": -1, at: 0, "just-after": 1 + this.#lateMs }[edge];
    const target = (from?.atMs ?? this.#nowMs) + (parseDuration(text) ?? 0) + offset;
    if (target < this.#nowMs) return;
    this.#nowMs = target;
    this.#list.advance({ [edge]: text, ...(from === undefined ? {} : { since: `$${from.name}` }) });
  }

  #operation(verb: OperationVerb, fields: Fields, label: string, who?: Who): Named {
    const name = this.#list.send(verb, fields, label);
    return { name, atMs: this.#nowMs, ...(who === undefined ? {} : { who }) };
  }
}

function keyField(index: number): Fields {
  const key = KEYS[index];
  return key === undefined ? {} : { key };
}

function faultOf({ who, fault }: Extract<Action, { do: "invalid" }>): Fields {
  const names: Fields = { $who: `$${who}`, $other: who === "alice" ? "$bob" : "$alice" };
  const fields = Object.entries(BUILD_FAULTS[fault] ?? {});
  const named = fields.map(([name, value]) => [
    name,
    (typeof value === "string" ? names[value] : undefined) ?? value,
  ]);
  return { by: who, ...Object.fromEntries(named) };
}
