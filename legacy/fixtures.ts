/** The golden fixtures as values, for tests of clients: exact exchanges of each flow, by the names that the index lists. */
import { join } from "node:path";
import { suggestion } from "./engine/data/schema.ts";
import type { Fixture, GoldenIndex } from "./golden/fixture.ts";
import { goldenText, readIndex } from "./golden/golden-files.ts";
import { PATHS } from "./paths.ts";

export type { Facts } from "./adapters/adapter.ts";
export {
  type AdvanceStep,
  type DemoKey,
  type ExchangeStep,
  exchangesOf,
  type Fixture,
  type GoldenIndex,
  type GoldenRequest,
  type GoldenStep,
  type HttpForm,
  type IndexEntry,
  type RestartStep,
} from "./golden/fixture.ts";
export type { Matcher } from "./golden/matchers.ts";

let index: GoldenIndex | undefined;

/** What fixtures there are, and the facts of the implementation that answered. */
export function fixtureIndex(): GoldenIndex {
  index ??= readIndex(PATHS.golden);
  return index;
}

/** The names of all fixtures, in the order of the index. */
export function fixtureNames(): readonly string[] {
  return fixtureIndex().fixtures.map(({ name }) => name);
}

/**
 * One flow: each request and the whole answer to it, the readings of the clock, and the same over HTTP.
 *
 * @param name as {@link fixtureNames} has it
 * @returns a value of the caller's own, made anew at each call
 * @throws {RangeError} one line, where there is no such fixture
 */
export function fixture(name: string): Fixture {
  const entry = fixtureIndex().fixtures.find((one) => one.name === name);
  if (entry === undefined) {
    throw new RangeError(`there is no fixture "${name}"${suggestion(name, fixtureNames())}`);
  }
  return JSON.parse(goldenText(join(PATHS.golden, entry.file))) as Fixture;
}

/** All of them. */
export function fixtures(): readonly Fixture[] {
  return fixtureNames().map(fixture);
}
