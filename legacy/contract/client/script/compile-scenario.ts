import { suggestion } from "../../../engine/data/schema.ts";
import type { YamlPath } from "../../../engine/data/yaml-places.ts";
import type { YamlSource } from "../../../engine/data/yaml-source.ts";
import { parseDuration } from "../../../engine/vectors/duration.ts";
import { STORE_OF, type Store } from "../../operations.ts";
import { compileDisturbance } from "./compile-disturbance.ts";
import { compileTexts, requireOneOf } from "./compile-texts.ts";
import {
  CAST,
  ENDS,
  type End,
  type Launch,
  type Person,
  type Scenario,
  type ScriptStep,
} from "./scenario.ts";

/** What a vector writes of a launch. */
interface LaunchEntry {
  readonly by?: string;
  readonly token?: Readonly<Record<string, unknown>>;
  readonly again?: string;
}

/** What a vector writes of a step: one of its members, and what belongs to a launch. */
interface StepEntry {
  readonly launch?: LaunchEntry;
  readonly as?: string;
  readonly expect?: string;
  readonly together?: readonly StepEntry[];
  readonly advance?: string;
  readonly restart?: true;
}

/** Where an entry stands. */
interface Place {
  readonly source: YamlSource;
  readonly path: YamlPath;
}

/**
 * Compiles what a vector says of a service and its launches.
 * @throws {DataError} with its place, for an unknown person, operation, code, form or launch, and for a name that nothing uses
 */
export function compileScenario(
  entry: Readonly<Record<string, unknown>>,
  source: YamlSource,
  path: YamlPath,
): Scenario {
  const disturbances = ((entry["service"] ?? []) as readonly Readonly<Record<string, unknown>>[]).map(
    (one, index) => compileDisturbance(one, { source, path: [...path, "service", index] }),
  );
  return {
    rule: firstRule(entry, source, path),
    capacity: compileCapacity(entry["capacity"], { source, path: [...path, "capacity"] }),
    disturbances,
    steps: new StepCompiler(source).steps(entry["steps"] as readonly StepEntry[], [...path, "steps"]),
  };
}

/** The first of a vector's rules is the one that it tries. */
function firstRule(entry: Readonly<Record<string, unknown>>, source: YamlSource, path: YamlPath): string {
  const own = entry["rules"] ?? valueAt(source.value, [...path, "rules"]);
  return String((own as readonly unknown[])[0]);
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    value,
  );
}

function compileCapacity(value: unknown, { source, path }: Place): Scenario["capacity"] {
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  const stores = Object.values(STORE_OF);
  for (const [store, most] of entries) {
    requireOneOf(store, stores, "store", { source, path: [...path, store] });
    if (!Number.isInteger(most) || Number(most) < 0)
      throw source.error([...path, store], `${store} holds a whole number, 0 or more`);
  }
  return Object.fromEntries(entries) as Readonly<Partial<Record<Store, number>>>;
}

/** Compiles the steps of one vector, whose launches may be named and given again. */
class StepCompiler {
  readonly #source: YamlSource;
  readonly #named = new Map<string, { readonly launch: Launch; readonly path: YamlPath; given: number }>();
  #launches = 0;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  steps(entries: readonly StepEntry[], path: YamlPath): readonly ScriptStep[] {
    const steps = entries.map((entry, index) => this.#step(entry, [...path, index]));
    for (const [name, { path: at, given }] of this.#named)
      if (given === 0) throw this.#source.error([...at, "as"], `nothing uses $${name}`);
    return steps;
  }

  #step(entry: StepEntry, path: YamlPath): ScriptStep {
    const { launch, together, advance, restart } = entry;
    const verbs = Object.entries({ launch, together, advance, restart }).filter(
      ([, value]) => value !== undefined,
    );
    if (verbs.length !== 1)
      throw this.#source.error(path, "a step is one of launch, together, advance and restart");
    if (advance !== undefined) return { kind: "advance", ms: this.#duration(advance, [...path, "advance"]) };
    if (together !== undefined) {
      const launches = together.map((one, index) => this.#launch(one, [...path, "together", index]));
      return { kind: "launches", launches };
    }
    return restart === true
      ? { kind: "restart" }
      : { kind: "launches", launches: [this.#launch(entry, path)] };
  }

  #duration(text: string, path: YamlPath): number {
    const ms = parseDuration(text);
    if (ms === undefined) throw this.#source.error(path, `"${text}" is no duration: write 30s, 500ms or 1h`);
    return ms;
  }

  #launch({ launch, as, expect }: StepEntry, path: YamlPath): Launch {
    const source = this.#source;
    if (launch === undefined) throw source.error(path, "only launches are given together");
    const made = launch.again === undefined ? this.#first(launch, path) : this.#again(launch.again, path);
    const compiled = { ...made, expect: this.#ends(expect, [...path, "expect"]) };
    if (as !== undefined) {
      if (this.#named.has(as)) throw source.error([...path, "as"], `$${as} names an earlier launch already`);
      this.#named.set(as, { launch: compiled, path, given: 0 });
    }
    return compiled;
  }

  #first(launch: LaunchEntry, path: YamlPath): Omit<Launch, "expect"> {
    const source = this.#source;
    const by = launch.by ?? "alice";
    requireOneOf(by, CAST, "person", { source, path: [...path, "launch", "by"] });
    const token = compileTexts(launch.token ?? {}, { source, path: [...path, "launch", "token"] });
    const number = this.#launches;
    this.#launches += 1;
    return { line: this.#line(path), by: by as Person, token, number, again: 0 };
  }

  #again(again: string, path: YamlPath): Omit<Launch, "expect"> {
    const at = [...path, "launch", "again"];
    const name = /^\$(\w+)$/.exec(again)?.[1];
    const named = name === undefined ? undefined : this.#named.get(name);
    if (named === undefined) {
      const known = suggestion(
        again,
        [...this.#named.keys()].map((one) => `$${one}`),
      );
      throw this.#source.error(at, `"${again}" names no launch before this one${known}`);
    }
    named.given += 1;
    return { ...named.launch, line: this.#line(path), again: named.given };
  }

  #line(path: YamlPath): number {
    return this.#source.keyPosition(path).line;
  }

  #ends(text: string | undefined, path: YamlPath): readonly End[] {
    if (text === undefined) return ["draft"];
    const ends = text.split("|").map((end) => end.trim());
    for (const end of ends) requireOneOf(end, ENDS, "end of a launch", { source: this.#source, path });
    return ends as readonly End[];
  }
}
