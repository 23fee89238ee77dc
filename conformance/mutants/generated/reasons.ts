import { fileURLToPath } from "node:url";
import { checkSchema } from "../../engine/data/schema.ts";
import { readYaml } from "../../engine/data/yaml-source.ts";
import type { Change } from "./generate.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Why a mutant may survive. */
export interface Reason {
  /** Other answers, which the contract allows; or the same answers to every request. */
  readonly kind: "legal" | "equivalent";
  readonly why: string;
}

/** The reasons that are written down, each with the mutants that it stands for. */
export type Reasons = ReadonlyMap<string, Reason>;

/** What a mutant is known by, wherever its line stands. */
export function keyOf({ file, in: line, was, now }: Change): string {
  return JSON.stringify([file, line, was, now]);
}

/** @throws {DataError} with file:line:column for a file that breaks its schema, or a mutant that stands there twice */
export function loadReasons(file = path("survivors.yaml")): Reasons {
  const source = readYaml(file);
  checkSchema(source, path("survivors.schema.json"));
  const { reasons } = source.value as {
    readonly reasons: readonly (Reason & { readonly mutants: readonly Change[] })[];
  };
  const found = new Map<string, Reason>();
  for (const [place, { kind, why, mutants }] of reasons.entries()) {
    for (const [index, change] of mutants.entries()) {
      const key = keyOf(change);
      if (found.has(key)) throw source.error(["reasons", place, "mutants", index], "the same mutant twice");
      found.set(key, { kind, why });
    }
  }
  return found;
}
