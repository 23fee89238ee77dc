import type { Contract, TimeRules } from "../engine/contract.ts";
import { loadOrder, type VectorOrder } from "../engine/vectors/order.ts";
import { PATHS } from "../paths.ts";
import { retryReading } from "./judge/draft.ts";
import { measureRoom } from "./judge/measure-room.ts";
import { responseSchemas } from "./judge/response-schemas.ts";
import { askBytes } from "./keys/message-bytes.ts";
import {
  BUILDS_PER_MINUTE,
  CONTRACT_ID,
  codeOf,
  LIFETIME_MS,
  MINUTE_MS,
  OUTCOMES,
  operationOf,
  ROUTES,
} from "./operations.ts";
import { ruleBook } from "./rule-book.ts";
import { SEARCH_IDS } from "./search-ids.ts";
import { measureTimekeeping } from "./timekeeping/measure-timekeeping.ts";
import { LaunchWorld } from "./verbs/launch-world.ts";
import { VOCABULARY } from "./verbs/vocabulary.ts";

/** A minute of five builds that is refilled place by place gives one back so often. */
const REFILL_MS = MINUTE_MS / BUILDS_PER_MINUTE;

/** What time has to do with the answers (contract, "Limits" and "States and transitions"). */
const TIME: TimeRules = {
  // A clock that nobody can move may count whole seconds (open point CLOCK-RESOLUTION).
  unmoved: { lives: [], others: { earlyMs: 0, lateMs: 1000 } },
  longestLifetimeMs: LIFETIME_MS.session,
  markMs: MINUTE_MS,
  isTimely: (status) => status === undefined || [200, 401, 409, 429].includes(status),
  // Every lifetime is a multiple of the shortest; a limiter may count in minutes of any shape.
  hangsOn: (expected) =>
    expected.includes(OUTCOMES.limited.codes[0])
      ? { periodsMs: [LIFETIME_MS.draft, REFILL_MS], marks: true }
      : { periodsMs: [LIFETIME_MS.draft], marks: false },
};

/** Members of which every answer to `GET /v1/platform` has some, be it a profile, a broken one or a refusal. */
const FAMILIAR = ["productionApproved", "code", "mode", "platform", "termsHash"];

/**
 * The Offline Launch-Draft Partner Service contract, as the engine takes it.
 * @throws {DataError} for a fault in the contract's data files
 */
export function partnerPreview(): Contract {
  const schemas = responseSchemas();
  let order: VectorOrder | undefined;
  return {
    ...ruleBook(),
    id: CONTRACT_ID,
    vocabulary: VOCABULARY,
    operations: {
      of: operationOf,
      codeOf,
      successRule: schemas.successRule,
      named: schemas.named,
      observeRepeat: (first, again) =>
        again.operation === "build"
          ? [{ point: "RETRY-EXTRA-FIELDS", reading: retryReading(first, again) }]
          : [],
    },
    time: TIME,
    identity: {
      request: ROUTES.platform,
      isFamiliar: (body) => FAMILIAR.some((name) => Object.hasOwn(body, name)),
      rule: "ENDPOINT-1",
    },
    get order() {
      order ??= loadOrder(PATHS.order, PATHS.orderSchema);
      return order;
    },
    world: (host) => new LaunchWorld(host),
    measureRoom,
    measureTimekeeping,
    askAside: askBytes,
    searches: async () => (await import("./searches.ts")).SEARCHES,
    searchIds: () => SEARCH_IDS,
  };
}
