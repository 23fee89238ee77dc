import { isObject } from "../../engine/play/exchange.ts";
import type { Schema } from "../openapi.ts";
import { resolve } from "./resolve-schema.ts";

/** Gives a value with the members that a schema names, at any depth, and no others: itself, where it has no others. */
export type Named = (value: unknown) => unknown;

/** What {@link Named} is for a schema; a value that the schema does not describe as an object or a list stays as it is. */
export function namedIn(described: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Named {
  const schema = resolve(described, schemas);
  const items = schema?.["items"] as Schema | undefined;
  const properties = schema?.["properties"] as Readonly<Record<string, Schema>> | undefined;
  if (items === undefined && properties === undefined) return (value) => value;
  const item = items === undefined ? undefined : namedIn(items, schemas);
  const members = new Map(
    Object.entries(properties ?? {}).map(([name, member]) => [name, namedIn(member, schemas)]),
  );
  return (value) => {
    if (Array.isArray(value)) return item === undefined ? value : namedItems(value, item);
    return isObject(value) && properties !== undefined ? namedOf(value, members) : value;
  };
}

function namedItems(list: readonly unknown[], item: Named): readonly unknown[] {
  const named = list.map(item);
  return named.every((one, index) => one === list[index]) ? list : named;
}

function namedOf(
  value: Readonly<Record<string, unknown>>,
  members: ReadonlyMap<string, Named>,
): Readonly<Record<string, unknown>> {
  const named: Record<string, unknown> = {};
  let same = true;
  for (const name of Object.keys(value)) {
    const member = members.get(name);
    if (member === undefined) same = false;
    else {
      named[name] = member(value[name]);
      same &&= named[name] === value[name];
    }
  }
  return same ? value : named;
}
