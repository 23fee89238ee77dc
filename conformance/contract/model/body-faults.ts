import type { BodyReading } from "./body-reading.ts";
import { badRequest, certain, type Fault, FIELD_CODES, uncertain } from "./fault.ts";

/** The operations with a body. */
export type PostOperation = "challenge" | "verify" | "build";

/** Largest body in bytes (contract, "Limits"). */
const BODY_LIMIT = 16 * 1024;

const RULES = {
  challenge: { size: "LIMIT-1", noJson: "JSON-1", noObject: "JSON-4", noBody: "JSON-7" },
  verify: { size: "LIMIT-2", noJson: "JSON-2", noObject: "JSON-5", noBody: "JSON-8" },
  build: { size: "LIMIT-3", noJson: "JSON-3", noObject: "JSON-6", noBody: "JSON-9" },
} as const;

/** Codes that fit a body which is at fault as a whole. */
export const BODY_CODES: Readonly<Record<PostOperation, readonly string[]>> = {
  challenge: [...FIELD_CODES, "INVALID_CREATOR"],
  verify: FIELD_CODES,
  build: [...FIELD_CODES, "CANONICAL_BUILD_REJECTED"],
};

/** What a body is refused for before any field is looked at (contract, "Limits", "Errors" and "Endpoints"). */
export function bodyFaults(operation: PostOperation, body: BodyReading): readonly Fault[] {
  if (body.kind === "object" && body.bytes <= BODY_LIMIT && body.doubts.length === 0) return [];
  const rules = RULES[operation];
  const point = operation.toUpperCase();
  const anyCode = badRequest("INVALID_JSON_BODY", ...BODY_CODES[operation]);
  const faults: Fault[] = [];
  if (body.bytes > BODY_LIMIT) faults.push(certain(rules.size, { status: 413, codes: ["BODY_TOO_LARGE"] }));
  switch (body.kind) {
    case "absent":
      faults.push(certain(rules.noBody, anyCode, `CODE-${point}-NO-BODY`));
      break;
    case "no-json":
      faults.push(certain(rules.noJson, badRequest("INVALID_JSON_BODY")));
      break;
    case "no-utf-8":
      faults.push(certain("JSON-11", badRequest("INVALID_JSON_BODY")));
      break;
    case "no-object":
      faults.push(certain(rules.noObject, anyCode, `CODE-${point}-NOT-OBJECT`));
      break;
    case "object":
      break;
  }
  for (const doubt of body.doubts) {
    // Strict readers refuse these as JSON; no open point is about them, since every field has its own to say.
    const strict = doubt === "odd-number" || doubt === "half-surrogate";
    faults.push(strict ? { outcomes: [anyCode], rules: [], certain: false } : uncertain(doubt, anyCode));
  }
  return faults;
}
