import type { Fields, OperationVerb, Step } from "../../vectors/model.ts";
import { ANYTHING } from "../sequence/steps.ts";
import { type EXECUTION, type Letter, LIMITS, type Sight } from "./alphabet.ts";

/** What a second input has of its own. */
export const OTHER_NAME = "Other Coin";
/** How the two keys begin. */
export const KEYS = { 1: "key-number-1", 2: "key-number-2" } as const;
/** Builds of one `spend`. */
export const SPENT = 4;
/** A metadata address that no service takes. */
export const FOREIGN_URI = "https://elsewhere.example/m.json";

/** A terms hash that is no service's. */
export const OTHER_TERMS = "0".repeat(64);

/** The step that asks for what a closing look asks for. */
export function sightStep(at: Sight): readonly [verb: OperationVerb, fields: Fields] {
  switch (at) {
    case "foreign":
      return ["build", { by: "alice", creator: "$bob" }];
    case "bare":
      return ["build", { by: "alice", bearer: null }];
    case "unkeyed":
      return ["build", { by: "alice", key: null }];
    case "profile":
      return ["platform", {}];
    case "terms":
      return ["challenge", { for: "alice", termsHash: OTHER_TERMS }];
    default:
      return ["request", { method: "POST", path: executionPath(at), json: {} }];
  }
}

/** Where a route that does not exist might have been. */
export function executionPath(word: (typeof EXECUTION)[number]): string {
  return `/v1/launch/${word}`;
}

/** The steps of a vector that do what the letters say. */
export function letterSteps(letters: readonly Letter[]): readonly Step[] {
  const steps: Step[] = [];
  const base = () => ({ place: { file: "sequence", line: steps.length + 1 }, path: ["steps", steps.length] });
  const send = (verb: OperationVerb, fields: Fields, label: string) => {
    const as = `${label}${steps.length + 1}`;
    steps.push({ ...base(), kind: "operation", verb, fields, as, expect: ANYTHING });
    return as;
  };
  let first: string | undefined;
  let challenge: string | undefined;
  let stale: string | undefined;
  let session: string | undefined;
  // What is to be said of a session later needs a name for it now.
  const aged = (letter: Letter) => letter.kind === "wait" && LIMITS[letter.limit]?.of === "session";
  if (letters.some((letter) => letter.kind === "stale" || aged(letter)))
    session = send("session", { for: "alice" }, "session");
  for (const letter of letters) {
    switch (letter.kind) {
      case "build": {
        const { who, key, input } = letter;
        const changed = input === 2 ? { name: OTHER_NAME } : {};
        const name = send("build", { by: who, key: KEYS[key], ...changed }, "build");
        first ??= name;
        break;
      }
      case "spend":
        for (let count = 0; count < SPENT; count++) {
          const name = send("build", { by: "alice" }, "build");
          first ??= name;
        }
        break;
      case "invalid": {
        const name = send("build", { by: "alice", key: KEYS[1], uri: FOREIGN_URI }, "build");
        first ??= name;
        break;
      }
      case "challenge":
        challenge = send("challenge", { for: "alice" }, "challenge");
        first ??= challenge;
        break;
      case "prove":
        if (challenge === undefined) break;
        send(
          "verify",
          { challenge: `$${challenge}`, ...(letter.honest ? {} : { proof: { signature: "s-plus-l" } }) },
          "verify",
        );
        break;
      case "stale":
        if (stale !== undefined) send("build", { by: "alice", session: `$${stale}` }, "build");
        break;
      case "restart":
        steps.push({ ...base(), kind: "restart" });
        stale = session;
        break;
      case "look":
        send(...sightStep(letter.at), "look");
        break;
      case "wait": {
        const limit = LIMITS[letter.limit];
        const since = limit?.of === "session" ? session : first;
        if (limit === undefined || since === undefined) break;
        steps.push({ ...base(), kind: "advance", advance: { [limit.edge]: limit.span, since: `$${since}` } });
      }
    }
  }
  return steps;
}
