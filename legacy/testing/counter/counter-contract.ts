import { fileURLToPath } from "node:url";
import type { Contract } from "../../engine/contract.ts";
import { EXACT } from "../../engine/play/timekeeping.ts";
import { loadRuleBook } from "../../engine/rule-book.ts";
import { loadSuites, type Suites } from "../../engine/vectors/load.ts";
import { COUNTER_ROUTES, counterOperationOf } from "./counter-operations.ts";
import { CounterWorld, SUCCESS_RULES } from "./counter-world.ts";

const data = (name: string) => fileURLToPath(new URL(`data/${name}`, import.meta.url));

/** JSON Schema of the suites of this contract. */
export const COUNTER_SUITE_SCHEMA = data("suite.schema.json");

/** The contract of a counter with a limit, as the engine takes it: a second contract, to show that there can be one. */
export const COUNTER: Contract = {
  ...loadRuleBook(data(".")),
  id: "counter-1",
  vocabulary: {
    operations: new Set(Object.keys(COUNTER_ROUTES)),
    composite: new Set(),
    custom: new Map(),
    cast: new Set(),
    provided: new Map(),
    castFields: [],
  },
  operations: {
    of: counterOperationOf,
    codeOf: (body) => body["error"],
    successRule: (operation) => SUCCESS_RULES[operation],
    named: (_, { value }) => ({ value }),
    observeRepeat: () => [],
  },
  // Time makes no difference to a counter.
  time: {
    unmoved: EXACT,
    longestLifetimeMs: 0,
    markMs: 1,
    isTimely: () => false,
    hangsOn: () => ({ periodsMs: [], marks: false }),
  },
  identity: {
    request: COUNTER_ROUTES.read,
    isFamiliar: (body) => Object.hasOwn(body, "value") || Object.hasOwn(body, "error"),
    rule: "COUNT-2",
  },
  world: (host) => new CounterWorld(host),
  measureTimekeeping: async () => EXACT,
  measureRoom: async () => ({}),
  searches: async () => (await import("./counter-searches.ts")).COUNTER_SEARCHES,
};

/** The vectors of the counter. */
export const COUNTER_SUITES: Suites = loadSuites(data("suites"), COUNTER_SUITE_SCHEMA, COUNTER);
