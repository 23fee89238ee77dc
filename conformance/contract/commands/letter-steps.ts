import { StepList } from "../../engine/search/step-list.ts";
import type { Fields, OperationVerb, Step } from "../../engine/vectors/vector.ts";
import { type EXECUTION, type Letter, LIMITS, type Sight } from "./alphabet.ts";

/** What a second input has of its own. */
const OTHER_NAME = "Other Coin";
/** How the two keys begin. */
export const KEYS = { 1: "key-number-1", 2: "key-number-2" } as const;
/** Builds of one `spend`. */
export const SPENT = 4;
/** A metadata address that no service takes. */
const FOREIGN_URI = "https://elsewhere.example/m.json";

/** How an input differs from the usual one: not at all, by its name, or by being at fault. */
export function inputFields(input: 1 | 2 | 3): Readonly<Record<string, string>> {
  return input === 2 ? { name: OTHER_NAME } : input === 3 ? { uri: FOREIGN_URI } : {};
}

/** A proof for the challenge of that name: honest, or with a scalar that is not reduced. */
export function proofFields(challenge: string, honest: boolean): Fields {
  return { challenge: `$${challenge}`, ...(honest ? {} : { proof: { signature: "s-plus-l" } }) };
}

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
  const list = new StepList();
  let first: string | undefined;
  let challenge: string | undefined;
  let stale: string | undefined;
  let session: string | undefined;
  // What is to be said of a session later needs a name for it now.
  const aged = (letter: Letter) => letter.kind === "wait" && LIMITS[letter.limit]?.of === "session";
  if (letters.some((letter) => letter.kind === "stale" || aged(letter)))
    session = list.send("session", { for: "alice" });
  for (const letter of letters) {
    switch (letter.kind) {
      case "build": {
        const { who, key, input } = letter;
        const name = list.send("build", { by: who, key: KEYS[key], ...inputFields(input) });
        first ??= name;
        break;
      }
      case "spend":
        for (let count = 0; count < SPENT; count++) {
          const name = list.send("build", { by: "alice" });
          first ??= name;
        }
        break;
      case "invalid": {
        const name = list.send("build", { by: "alice", key: KEYS[1], ...inputFields(3) });
        first ??= name;
        break;
      }
      case "challenge":
        challenge = list.send("challenge", { for: "alice" });
        first ??= challenge;
        break;
      case "prove":
        if (challenge !== undefined) list.send("verify", proofFields(challenge, letter.honest));
        break;
      case "stale":
        if (stale !== undefined) list.send("build", { by: "alice", session: `$${stale}` });
        break;
      case "restart":
        list.restart();
        stale = session;
        break;
      case "look":
        list.send(...sightStep(letter.at), "look");
        break;
      case "wait": {
        const limit = LIMITS[letter.limit];
        const since = limit?.of === "session" ? session : first;
        if (limit === undefined || since === undefined) break;
        list.advance({ [limit.edge]: limit.span, since: `$${since}` });
      }
    }
  }
  return list.steps;
}
