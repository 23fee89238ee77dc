import { fill } from "../../../engine/play/fill.ts";
import type { Template } from "../../../engine/vectors/vector.ts";
import { PROVIDED } from "../script/compile-texts.ts";
import type { Deeds, Person } from "../script/scenario.ts";
import { TRANSACTION_FORMS } from "../script/transaction-forms.ts";
import type { StagePeople } from "./stage-people.ts";

type Body = Readonly<Record<string, unknown>>;

/** Values of the names that a vector's texts may hold. */
export interface NamedValues {
  readonly people: StagePeople;
  readonly metadataHosts: readonly [string, string];
}

/** Fills in a template of a vector. */
export function filled(template: unknown, { people, metadataHosts }: NamedValues): unknown {
  const lookup = (name: string) => {
    const provided = metadataHosts[PROVIDED.indexOf(name as (typeof PROVIDED)[number])];
    return provided ?? people.address(name as Person);
  };
  return fill(template as Template, lookup, "the script");
}

/** An answer with the members that a script adds and changes. */
export function shapedBody(body: Body, { add, set, transaction }: Deeds, names: NamedValues): Body {
  const copy = structuredClone(body);
  for (const [path, value] of Object.entries({ ...set, ...add }))
    put(copy, path.split("."), filled(value, names));
  if (transaction === undefined) return copy;
  const [creator, mint] = body["requiredSigners"] as readonly [string, string];
  const bytes = Buffer.from(String(body["unsignedTransactionBase64"]), "base64");
  const people = { creator, mint, stranger: names.people.address("mallory") };
  const changed = TRANSACTION_FORMS[transaction](bytes, people);
  return { ...copy, unsignedTransactionBase64: Buffer.from(changed).toString("base64") };
}

/** Puts a value at a path. A member may be called `__proto__`, which is a name like any other in JSON. */
function put(target: unknown, path: readonly string[], value: unknown): void {
  const inner = path.slice(0, -1).reduce((holder, name) => (holder as Record<string, unknown>)[name], target);
  const name = path.at(-1) ?? "";
  Object.defineProperty(inner, name, { value, configurable: true, enumerable: true, writable: true });
}
