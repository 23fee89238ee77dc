import { isObject } from "../engine/play/exchange.ts";
import { escapePointer } from "./matchers.ts";

/** A place at which two JSON values differ; undefined stands for a member that is not there. */
export interface JsonDifference {
  /** JSON Pointer (RFC 6901); empty where the values differ as a whole. */
  readonly pointer: string;
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Every place at which two JSON values differ, as deep as both go on.
 * @param skip whether a place is set aside
 */
export function jsonDifferences(
  was: unknown,
  is: unknown,
  skip: (pointer: string) => boolean = () => false,
  pointer = "",
): readonly JsonDifference[] {
  if (skip(pointer) || Object.is(was, is)) return [];
  const lists = Array.isArray(was) && Array.isArray(is);
  if (!lists && !(isObject(was) && isObject(is))) return [{ pointer, was, is }];
  const [before, after] = [was, is] as unknown as readonly Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) =>
    jsonDifferences(before?.[name], after?.[name], skip, `${pointer}/${escapePointer(name)}`),
  );
}
