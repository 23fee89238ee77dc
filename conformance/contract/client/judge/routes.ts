import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { EXECUTION_WORDS, ROUTES } from "../../operations.ts";
import type { Asked, ClientReading } from "./client-reading.ts";
import { brokenBy, requestName } from "./found.ts";
import { isProfileOtherwise } from "./requests.ts";

/** Where a client sends requests (contract, "Endpoints"): routes that would execute something, and routes that are none. */
export function judgeRoutes({ asked }: ClientReading): readonly Violation[] {
  return asked.flatMap((one) => {
    if (one.operation === "other") {
      if (executes(one.path)) return [executing(one)];
      return isProfileOtherwise(one) ? [] : [elsewhere(one)];
    }
    const queried = one.operation !== "platform" && (one.query ?? "") !== "";
    return queried ? [elsewhere(one)] : [];
  });
}

function executing(asked: Asked): Violation {
  return brokenBy(asked, "CLIENT-ROUTE-1", {
    message: "a request to a route that would execute something",
    expected: "none: the service has no such route",
    got: requestName(asked),
  });
}

function elsewhere(asked: Asked): Violation {
  const { method, target } = asked.turn.request;
  return brokenBy(asked, "CLIENT-ROUTE-2", {
    message: "a request to a route that the contract does not name",
    expected: `one of ${NAMED}`,
    got: show(`${method} ${target}`),
  });
}

const NAMED = Object.values(ROUTES)
  .map(({ method, path }) => `${method} ${path}`)
  .join(", ");

/** The route that a request to none may be meant for: another method, slash, case or version is all that differs. */
export function meantRoute({ path }: Asked): string | undefined {
  const meant = Object.values(ROUTES).find((route) => withoutTrifles(route.path) === withoutTrifles(path));
  return meant === undefined ? undefined : `${meant.method} ${meant.path}`;
}

function withoutTrifles(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/+/g, "/")
    .replace(/\/$/, "")
    .replace(/^\/(?:api\/)?(?:v\d+\/)?/, "");
}

/** What a draft or what it earned may be meant for by other words: each does what one of the contract's does. */
const ALIKE = ["submit", "broadcast", "execute", "withdraw", "swap", "purchase", "transfer", "redeem"];

const EXECUTION = new Set([...EXECUTION_WORDS, ...ALIKE].flatMap((word) => [word, `${word}s`]));

/** Whether a path has a word that names what no route does; signing in is no signing. */
function executes(path: string): boolean {
  const words = path
    .replace(/pay[-_]out/gi, "payout")
    .replace(/sign[-_](?:in|up|on|out|off)(?![a-z])/gi, "")
    .replace(/[Ss]ign(?:In|Up|On|Out|Off)(?![a-z])/g, "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  return words.some((word) => EXECUTION.has(word));
}
