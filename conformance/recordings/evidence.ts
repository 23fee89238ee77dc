/** Finds the parts of requests that a tool has left out or replaced, from all exchanges of a file. */

import type { Operation } from "../contract/constants.ts";
import type { RequestPart } from "../contract/exchange.ts";
import { BASE58_KEY, BODY_FIELDS, CHALLENGE_ID, IDEMPOTENCY_KEY, TERMS_HASH } from "../contract/refusals.ts";
import { isObject, parseJson } from "../data/json.ts";
import type { RawExchange } from "./forms.ts";
import { isRedacted } from "./tables.ts";

/** Forms of values that a service must refuse in any other form. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ["key", IDEMPOTENCY_KEY],
  ["id", CHALLENGE_ID],
  ["creator", BASE58_KEY],
  ["mint", BASE58_KEY],
  ["termsHash", TERMS_HASH],
  ["signatureBase64", /^[\w+/-]{85,86}={0,2}$/],
  // Names of the members that the contract does not name. Some tools add members, such as parameters of the route.
  ["", /^$/],
]);
/** Number of accepted values in a wrong form that show that a tool has replaced them. */
const MIN_REPLACED = 2;

const PARTS: readonly RequestPart[] = ["body", "bearer", "key"];
/** For each operation, the parts that its requests need. */
const PARTS_OF: Readonly<Record<Operation, readonly RequestPart[]>> = {
  platform: [],
  challenge: ["body"],
  verify: ["body"],
  build: PARTS,
  other: [],
};

/** The facts about recorded requests that the exchanges of one file show together. */
export class Evidence {
  /** Parts that some request of the file has, and parts without which a service served a request. */
  readonly #present = new Set<RequestPart>();
  readonly #servedWithout = new Set<RequestPart>();
  readonly #wellFormed = new Set<string>();
  readonly #malformed = new Map<string, number>();
  /** Lengths of the bearers in responses and in requests. */
  readonly #lengths = { issued: new Set<number>(), sent: new Set<number>() };

  add(raw: RawExchange, operation: Operation): void {
    const { bearer, status, responseBody = "" } = raw;
    for (const part of PARTS_OF[operation]) {
      if (typeof raw[part] === "string") this.#present.add(part);
      else if (raw[part] === undefined && (status === 200 || status === 409)) this.#servedWithout.add(part);
    }
    if (operation === "build" && typeof bearer === "string") this.#lengths.sent.add(bearer.length);
    const session = operation === "verify" && status === 200 ? parseJson(responseBody) : undefined;
    const issued = isObject(session) ? session["bearer"] : undefined;
    if (typeof issued === "string" && !isRedacted(issued, "secret")) this.#lengths.issued.add(issued.length);
    for (const [name, value] of valuesOf(raw, operation)) {
      if (FORMS.get(name)?.test(value) === true) this.#wellFormed.add(name);
      else if (status === 200) this.#malformed.set(name, (this.#malformed.get(name) ?? 0) + 1);
    }
  }

  /** Returns the parts of a request that are not known. */
  unknownParts(raw: RawExchange, operation: Operation): ReadonlySet<RequestPart> {
    const parts = PARTS.filter((part) => {
      if (!PARTS_OF[operation].includes(part)) return raw[part] === null && raw.status !== 200;
      const isNeverRecorded = !this.#present.has(part) && this.#servedWithout.has(part);
      return raw[part] === null || (raw[part] === undefined && isNeverRecorded);
    });
    const { issued, sent } = this.#lengths;
    const isOther = issued.size > 0 && ![...sent].some((length) => issued.has(length));
    if (isOther && operation === "build" && raw.bearer !== undefined) parts.push("bearer");
    for (const [name, value] of valuesOf(raw, operation))
      if (!this.#wellFormed.has(name) && (this.#malformed.get(name) ?? 0) >= MIN_REPLACED && value !== "")
        parts.push(name === "key" ? "key" : "body");
    return new Set(parts);
  }
}

/** Returns the values of a request that have a form. */
function valuesOf({ key, body }: RawExchange, operation: Operation): readonly (readonly [string, string])[] {
  if (operation === "platform" || operation === "other") return [];
  const input = typeof body === "string" ? parseJson(body) : undefined;
  const names: readonly string[] = BODY_FIELDS[operation];
  const added = isObject(input) && Object.keys(input).filter((name) => !names.includes(name));
  const values = {
    ...(isObject(input) && input),
    ...(operation === "build" && { key }),
    ...(added && { "": added.join() }),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" && FORMS.has(name) ? [[name, value]] : [],
  );
}
