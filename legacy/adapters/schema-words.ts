import type { ErrorObject } from "ajv";
import { shown } from "./one-line.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** What a JSON Schema asks for where it was broken, in words that stand after "must be". */
export function wantedBy({ keyword, params, schema, message }: ErrorObject): string {
  const { limit } = params as { readonly limit?: number };
  switch (keyword) {
    case "type":
      return String(params["type"])
        .split(",")
        .map((type) => TYPES[type] ?? type)
        .join(" or ");
    case "const":
      return shown(params["allowedValue"]);
    case "enum":
      return `one of ${(params["allowedValues"] as unknown[]).map(String).join(", ")}`;
    case "minLength":
      return limit === 1 ? "a text that is not empty" : `a text of ${limit} characters or more`;
    case "maxLength":
      return `a text of at most ${counted(limit, "character")}`;
    case "pattern":
      return `of the form ${String(params["pattern"])}`;
    case "minimum":
      return `${limit} or more`;
    case "maximum":
      return `${limit} or less`;
    case "exclusiveMinimum":
      return `more than ${limit}`;
    case "exclusiveMaximum":
      return `less than ${limit}`;
    case "multipleOf":
      return `a multiple of ${String(params["multipleOf"])}`;
    case "minItems":
      return limit === 1 ? "a list that is not empty" : `a list of ${limit} entries or more`;
    case "maxItems":
      return limit === 0
        ? "an empty list"
        : `a list of at most ${limit === 1 ? "1 entry" : `${limit} entries`}`;
    case "uniqueItems":
      return "a list without the same entry twice";
    case "minProperties":
      return limit === 1 ? "an object that is not empty" : `an object of ${limit} members or more`;
    case "maxProperties":
      return `an object of at most ${counted(limit, "member")}`;
    case "required":
      return "present";
    case "format":
      return `a ${String(params["format"])}`;
    case "oneOf":
    case "anyOf":
      return `of one of ${Array.isArray(schema) ? schema.length : "several"} forms`;
    case "not":
      return "something else: these do not go together";
    default:
      return message === undefined ? "otherwise" : `otherwise (${message})`;
  }
}

function counted(limit: number | undefined, name: string): string {
  return `${limit} ${name}${limit === 1 ? "" : "s"}`;
}

/** A value after "not", so short that what it is can be seen. */
export function givenIn(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null)
    return Object.keys(value).length === 0 ? "an empty object" : "an object";
  return typeof value === "string" && value.length > 60
    ? `a text of ${value.length} characters`
    : shown(value);
}
