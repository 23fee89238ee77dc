import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import type { JudgeContext } from "./judge-context.ts";
import { responseSchemas } from "./response-schemas.ts";

/** What a profile says beyond the form of its fields (contract, "Platform profile"). */
export function judgePlatform({ body }: Exchange, { profile }: JudgeContext): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const named = responseSchemas().fields("platform");
  if (Object.keys(body).every((field) => named.has(field))) {
    const expected = "a further field that describes signing, under any name";
    found.push({
      rule: "PLATFORM-9",
      path: "body",
      expected,
      got: "no other field than those that are named",
    });
  }
  for (const field of named) {
    if (profile === undefined || JSON.stringify(profile[field]) === JSON.stringify(body[field])) continue;
    found.push({
      rule: "PLATFORM-10",
      path: field,
      expected: `as before, ${show(profile[field])}`,
      got: show(body[field]),
    });
  }
  return found;
}
