/** property/scenarios: short series of requests about one topic each. */
import fc from "fast-check";
import { challenges } from "./challenges.ts";
import { codes } from "./codes.ts";
import { lifetimes } from "./lifetimes.ts";
import { limits, minutes } from "./limits.ts";
import { property } from "./property.ts";
import { windows } from "./windows.ts";

export const scenarios = property({
  name: "scenarios",
  title: "challenges, drafts and limits behave as required, and each refusal code comes only with its reason",
  tries: "a short series of requests about challenges, idempotency windows, limits or refusal codes",
  rules: ["CHALLENGE-22", "CHALLENGE-23", "SESSION-7", "IDEMPOTENCY-5", "IDEMPOTENCY-14", "LIMIT-6"],
  needs: ["rawBody"],
  casesPerRun: 2.5,
  // The model learns the service's clock first.
  examples: [lifetimes, minutes],
  draw: () => fc.oneof(challenges, windows, limits, codes),
});
