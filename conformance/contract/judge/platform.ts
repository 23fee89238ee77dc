import type { Exchange } from "../../engine/play/exchange.ts";
import { type JudgeContext, type Mismatch, show } from "../../engine/play/judgement.ts";

const NAMED = [
  "mode",
  "platform",
  "feeWallet",
  "withdrawAuthority",
  "termsStatus",
  "creatorBpsImplemented",
  "productionApproved",
  "publicServer",
  "termsHash",
];

/** What a profile says beyond the form of its fields (contract, "Platform profile"). */
export function judgePlatform({ body }: Exchange, { profile }: JudgeContext): readonly Mismatch[] {
  const found: Mismatch[] = [];
  if (Object.keys(body).every((field) => NAMED.includes(field))) {
    const expected = "a further field that describes signing, under any name";
    found.push({
      rule: "PLATFORM-9",
      path: "body",
      expected,
      got: "no other field than the nine that are named",
    });
  }
  for (const field of NAMED) {
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
