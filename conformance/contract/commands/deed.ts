import { StepList } from "../../engine/search/step-list.ts";
import { formatDuration } from "../../engine/vectors/duration.ts";
import type { Step } from "../../engine/vectors/vector.ts";
import type { Who } from "./action.ts";
import type { Sight } from "./alphabet.ts";
import { inputFields, proofFields, sightStep } from "./letter-steps.ts";

/** One thing that the search did to a service: enough to do it again, whatever it was part of. */
export type Deed =
  | { readonly do: "challenge" | "session"; readonly who: Who; readonly number: number }
  /** A proof for the challenge of that number. */
  | { readonly do: "prove"; readonly challenge: number; readonly honest: boolean; readonly number: number }
  | {
      readonly do: "build";
      readonly who: Who;
      readonly key: string;
      /** The usual input, another one, or one that is at fault. */
      readonly input: 1 | 2 | 3;
      /** Number of the session that it names, where that is not its creator's last. */
      readonly session?: number;
    }
  | { readonly do: "look"; readonly at: Sight }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "restart" };

/** The steps of a vector that do the same. What refers to a deed that is not among them is left out. */
export function deedSteps(deeds: readonly Deed[]): readonly Step[] {
  const list = new StepList();
  const names = new Map<number, string>();
  for (const deed of deeds) {
    switch (deed.do) {
      case "challenge":
      case "session":
        names.set(deed.number, list.send(deed.do, { for: deed.who }));
        break;
      case "prove": {
        const challenge = names.get(deed.challenge);
        if (challenge !== undefined)
          names.set(deed.number, list.send("verify", proofFields(challenge, deed.honest)));
        break;
      }
      case "build": {
        const { who, key, input, session } = deed;
        const named = session === undefined ? undefined : names.get(session);
        if (session !== undefined && named === undefined) break;
        const given = named === undefined ? {} : { session: `$${named}` };
        list.send("build", { by: who, ...given, key, ...inputFields(input) });
        break;
      }
      case "look":
        list.send(...sightStep(deed.at));
        break;
      case "wait":
        list.advance(formatDuration(deed.ms));
        break;
      case "restart":
        list.restart();
    }
  }
  return list.steps;
}
