import type { Vocabulary } from "../contract.ts";
import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import type { YamlSource } from "../data/yaml-source.ts";
import { FUNCTION_NAMES } from "./syntax.ts";
import { mentions, unknownFunctions } from "./template.ts";
import type { Fields, Template } from "./vector.ts";

/** Names that every vector may use, whatever the contract: the row of `cases`, and the round of a `repeat`. */
const ENGINE_NAMES = ["case", "index"];

/** Follows the names of one vector through its steps, so that a slip is found before any service is driven. */
export class NameCheck {
  readonly #source: YamlSource;
  readonly #cast: ReadonlySet<string>;
  readonly #provided: ReadonlySet<string>;
  readonly #row: Fields;
  readonly #columnsRead: Set<string>;
  readonly #captures = new Map<string, { readonly path: YamlPath; used: boolean }>();

  constructor(source: YamlSource, { cast, provided }: Vocabulary, row: Fields, columnsRead: Set<string>) {
    this.#source = source;
    this.#cast = cast;
    this.#provided = new Set([...ENGINE_NAMES, ...provided.keys()]);
    this.#row = row;
    this.#columnsRead = columnsRead;
  }

  /** Checks every name and function that a template mentions. */
  template(template: Template, path: YamlPath): void {
    const wrong = unknownFunctions(template)[0];
    if (wrong !== undefined) {
      throw this.#source.error(path, `unknown function "${wrong}"${suggestion(wrong, FUNCTION_NAMES)}`);
    }
    for (const { name, path: rest } of mentions(template)) this.#mention(name, rest, path);
  }

  /** Checks the plain name of an actor (`for: alice`). */
  actor(name: string, path: YamlPath): void {
    if (!this.#cast.has(name)) {
      throw this.#source.error(
        path,
        `unknown actor "${name}"${suggestion(name, this.#cast)}; the cast is ${[...this.#cast].join(", ")}`,
      );
    }
  }

  /** Takes a new capture (`as: first`). */
  capture(name: string, path: YamlPath): void {
    if (this.#captures.has(name))
      throw this.#source.error(path, `the name "${name}" is taken by an earlier step`);
    if (this.#cast.has(name) || this.#provided.has(name))
      throw this.#source.error(path, `the name "${name}" is the kit's own`);
    this.#captures.set(name, { path, used: false });
  }

  /** After the last step: a capture that nothing used is a slip. */
  finish(): void {
    for (const [name, { path, used }] of this.#captures) {
      if (!used) throw this.#source.error(path, `nothing uses the name "${name}"`);
    }
  }

  #mention(name: string, rest: readonly string[], path: YamlPath): void {
    if (name === "case") {
      const column = rest[0] ?? "";
      const value = this.#row[column];
      if (value === undefined) {
        throw this.#source.error(
          path,
          `no column "${column}" in this row${suggestion(column, Object.keys(this.#row))}`,
        );
      }
      this.#columnsRead.add(column);
      this.template(value, path);
      return;
    }
    const capture = this.#captures.get(name);
    if (capture !== undefined) {
      capture.used = true;
      return;
    }
    if (this.#cast.has(name) || this.#provided.has(name)) return;
    const known = [...this.#captures.keys(), ...this.#cast, ...this.#provided].map((other) => `$${other}`);
    throw this.#source.error(path, `unknown name "$${name}"${suggestion(`$${name}`, known)}`);
  }
}
