import { formatDuration } from "../../vectors/duration.ts";
import type { Fields, OperationVerb, Step } from "../../vectors/model.ts";
import type { Who } from "../sequence/action.ts";
import { ANYTHING } from "../sequence/steps.ts";
import type { Sight } from "./alphabet.ts";
import { FOREIGN_URI, OTHER_NAME, sightStep } from "./letter-steps.ts";

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
  const steps: Step[] = [];
  const names = new Map<number, string>();
  const base = () => ({ place: { file: "sequence", line: steps.length + 1 }, path: ["steps", steps.length] });
  const send = (verb: OperationVerb, fields: Fields, number?: number) => {
    const as = `${verb}${steps.length + 1}`;
    if (number !== undefined) names.set(number, as);
    steps.push({ ...base(), kind: "operation", verb, fields, as, expect: ANYTHING });
  };
  for (const deed of deeds) {
    switch (deed.do) {
      case "challenge":
      case "session":
        send(deed.do, { for: deed.who }, deed.number);
        break;
      case "prove": {
        const challenge = names.get(deed.challenge);
        if (challenge === undefined) break;
        const proof = deed.honest ? {} : { proof: { signature: "s-plus-l" } };
        send("verify", { challenge: `$${challenge}`, ...proof }, deed.number);
        break;
      }
      case "build": {
        const { who, key, input, session } = deed;
        const changed = input === 2 ? { name: OTHER_NAME } : input === 3 ? { uri: FOREIGN_URI } : {};
        const named = session === undefined ? undefined : names.get(session);
        if (session !== undefined && named === undefined) break;
        send("build", { by: who, ...(named === undefined ? {} : { session: `$${named}` }), key, ...changed });
        break;
      }
      case "look":
        send(...sightStep(deed.at));
        break;
      case "wait":
        steps.push({ ...base(), kind: "advance", advance: formatDuration(deed.ms) });
        break;
      case "restart":
        steps.push({ ...base(), kind: "restart" });
    }
  }
  return steps;
}
