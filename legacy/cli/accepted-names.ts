import picomatch from "picomatch";
import { suggestion } from "../engine/data/schema.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { CAPABILITIES, CAPABILITY } from "../engine/vectors/need.ts";
import { UsageError } from "./usage-error.ts";

/**
 * What `--allow-untried` accepts: ids of rules and names of capabilities (`capability:restart`), as they are or by globs.
 * @throws {UsageError} for a name that is none, with the nearest, and for a glob that matches none
 */
export function acceptedNames(given: readonly string[], rules: RuleBook["rules"]): ReadonlySet<string> {
  const names = [...CAPABILITIES, ...rules.keys()];
  const known = new Set(names);
  return new Set(
    given.flatMap((name) => {
      if (known.has(name)) return [name];
      const matches = /[*?[{(]/.test(name) ? picomatch(name) : () => false;
      const matched = names.filter((one) => matches(one));
      if (matched.length > 0) return matched;
      const kind = name.startsWith(CAPABILITY) ? "capability" : "rule";
      const meant = known.has(CAPABILITY + name) ? ` (did you mean "${CAPABILITY}${name}"?)` : undefined;
      const near = meant ?? suggestion(name, kind === "capability" ? CAPABILITIES : names);
      const all = kind === "capability" ? `; there are ${CAPABILITIES.join(", ")}` : "";
      throw new UsageError(`--allow-untried ${name}: there is no such ${kind}${near}${all}`);
    }),
  );
}
