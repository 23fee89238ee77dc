import { OUTCOMES } from "../operations.ts";
import { type PostOperation, requestFields } from "../request-fields.ts";
import type { BodyReading } from "./body-reading.ts";
import { certain, certainBy, type RequestFault, refusalsOf, uncertain } from "./request-fault.ts";

const RULES = {
  challenge: { size: "LIMIT-1", noJson: "JSON-1", noObject: "JSON-4", noBody: "JSON-7" },
  verify: { size: "LIMIT-2", noJson: "JSON-2", noObject: "JSON-5", noBody: "JSON-8" },
  build: { size: "LIMIT-3", noJson: "JSON-3", noObject: "JSON-6", noBody: "JSON-9" },
} as const;

/** What a body is refused for before any field is looked at (contract, "Limits", "Errors" and "Endpoints"). */
export function bodyFaults(operation: PostOperation, body: BodyReading): readonly RequestFault[] {
  const { mostBytes } = requestFields(operation);
  if (body.kind === "object" && body.bytes <= mostBytes && body.doubts.length === 0) return [];
  const rules = RULES[operation];
  const point = operation.toUpperCase();
  const faults: RequestFault[] = [];
  if (body.bytes > mostBytes) faults.push(certain(rules.size, OUTCOMES.tooLarge));
  switch (body.kind) {
    case "absent":
      faults.push(certainBy(rules.noBody, `CODE-${point}-NO-BODY`));
      break;
    case "no-json":
      faults.push(certain(rules.noJson, OUTCOMES.noJson));
      break;
    case "no-utf-8":
      faults.push(certain("JSON-11", OUTCOMES.noJson));
      break;
    case "no-object":
      faults.push(certainBy(rules.noObject, `CODE-${point}-NOT-OBJECT`));
      break;
    case "object":
      break;
  }
  // A body that is doubtful as a whole may be refused by the codes of one that is at fault as a whole.
  const whole = refusalsOf(operation === "build" ? "CODE-BUILD-FIELDS" : `CODE-${point}-NOT-OBJECT`);
  for (const doubt of body.doubts) {
    // Strict readers refuse these as JSON; no open point is about them, since every field has its own to say.
    const strict = doubt === "odd-number" || doubt === "half-surrogate";
    faults.push(strict ? { outcomes: whole, rules: [], certain: false } : uncertain(doubt, whole));
  }
  return faults;
}
