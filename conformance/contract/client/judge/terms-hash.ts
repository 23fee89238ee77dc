import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import type { ClientReading } from "./client-reading.ts";
import { brokenBy } from "./found.ts";

/** Where the terms hash of a challenge comes from (contract, "Platform profile"): of the profile that was told before. */
export function judgeTermsHash({ asked }: ClientReading): readonly Violation[] {
  const told = new Set<string>();
  return asked.flatMap((one) => {
    const { operation, status, answer, body } = one;
    if (operation === "platform" && status === 200 && typeof answer["termsHash"] === "string")
      told.add(answer["termsHash"]);
    const { termsHash } = body.members;
    if (operation !== "challenge" || typeof termsHash !== "string" || told.has(termsHash)) return [];
    return [
      brokenBy(one, "CLIENT-PROFILE-1", {
        message: "the terms hash is not the one of this service's profile",
        expected: told.size === 0 ? "a profile asked for first, and its hash" : [...told].join(" or "),
        got: show(termsHash),
      }),
    ];
  });
}
