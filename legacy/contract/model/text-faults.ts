import { launchBounds } from "../request-fields.ts";
import { certainBy, type RequestFault, uncertain } from "./request-fault.ts";

/** The two texts of a launch request that people read (contract, "Launch request"). */
export type TextField = "name" | "symbol";

const RULES = {
  name: {
    missing: "LAUNCH-14",
    type: "LAUNCH-15",
    empty: "LAUNCH-16",
    characters: "LAUNCH-17",
    bytes: "LAUNCH-18",
  },
  symbol: {
    missing: "LAUNCH-19",
    type: "LAUNCH-20",
    empty: "LAUNCH-21",
    characters: "LAUNCH-22",
    bytes: "LAUNCH-23",
  },
} as const;

/** Faults of a `name` or a `symbol`; `value` is undefined where the member is missing. */
export function textFaults(field: TextField, value: unknown): readonly RequestFault[] {
  const rules = RULES[field];
  const point = field.toUpperCase();
  const fault = (rule: string) => [certainBy(rule, `CODE-BUILD-${point}`)];
  const shape = (rule: string) => [certainBy(rule, "CODE-BUILD-SHAPE")];
  if (value === undefined) return shape(rules.missing);
  if (typeof value !== "string") return shape(rules.type);
  if (value === "") return fault(rules.empty);
  const bounds = launchBounds(field);
  if ([...value].length > bounds.characters) return fault(rules.characters);
  if (Buffer.byteLength(value) > bounds.utf8Bytes) return fault(rules.bytes);
  const doubt = doubtOf(value);
  return doubt === undefined ? [] : [uncertain(`${point}-${doubt}`)];
}

/** Texts within the bounds that a service may still refuse: the contract speaks of characters without saying which. */
function doubtOf(text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return "LONE-SURROGATE";
  if (/^\p{White_Space}+$/u.test(text)) return "WHITE-SPACE";
  if (/^\p{White_Space}|\p{White_Space}$/u.test(text)) return "OUTER-SPACE";
  if (/[\u200D\uFE0F\u20E3\p{Emoji_Modifier}\p{Regional_Indicator}]/u.test(text)) return "EMOJI-SEQUENCE";
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) || /^\p{M}/u.test(text)) return "CONTROL-CHARACTERS";
  return undefined;
}
