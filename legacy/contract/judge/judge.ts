import { sameJson } from "../../engine/play/compare.ts";
import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import {
  type Advice,
  type Judgement,
  type Mismatch,
  type Observation,
  show,
} from "../../engine/play/judgement.ts";
import { LIFETIME_MS, type Operation } from "../operations.ts";
import { adviseOnForm, judgeChallenge, seen } from "./challenge.ts";
import { judgeDraft } from "./draft.ts";
import { adviseOnError, isFrameworkAnswer, judgeEnvelope, judgeFrameworkAnswer } from "./envelope.ts";
import type { JudgeContext } from "./judge-context.ts";
import { type ResponseSchemas, responseSchemas } from "./response-schemas.ts";
import { judgeLifetime, timestampForm } from "./timestamp.ts";

/**
 * Judges one response by every rule that applies to it alone: the envelope, the fields of the operation's response, and
 * how they fit together. What a particular request must get is for its vector to say.
 */
export function judgeExchange(exchange: Exchange, context: JudgeContext): Judgement {
  if (isFrameworkAnswer(exchange, context)) return { ...judgeFrameworkAnswer(exchange), observations: [] };
  const schemas = responseSchemas();
  const general = judgeEnvelope(exchange, schemas);
  const extra = observeExtraFields(exchange, schemas);
  const { envelope, operation, status } = exchange;
  if (status !== 200 || operation === "other" || !isObject(envelope) || !isObject(envelope["body"])) {
    const advice = status === 200 ? [] : adviseOnError(exchange);
    return { mismatches: general, observations: extra, advice };
  }
  const particular = judgeOperation(exchange, context);
  const mismatches = [...general, ...schemas.check(operation, exchange.body), ...particular.mismatches];
  return {
    mismatches: distinct(mismatches),
    observations: [...particular.observations, ...extra],
    advice: particular.advice,
  };
}

function judgeOperation(exchange: Exchange, context: JudgeContext): Judgement {
  const { body } = exchange;
  switch (exchange.operation) {
    case "platform":
      return { mismatches: judgePlatform(exchange, context), observations: [], advice: [] };
    case "challenge":
      return judgeChallenge(exchange, context);
    case "verify": {
      const { observations, advice } = observeBearer(body["bearer"]);
      return {
        mismatches: judgeLifetime(exchange, LIFETIME_MS.session, "SESSION-2", context),
        observations: [
          ...observations,
          { point: "SIGNED-BYTES", reading: context.facts.signedBytes },
          ...seen("SESSION-TIMESTAMP-FORMAT", timestampForm(body["expiresAt"], exchange.sentAt)),
        ],
        advice: [...advice, ...adviseOnForm("SESSION-40", exchange)],
      };
    }
    default:
      return judgeDraft(exchange, context);
  }
}

/** The mismatches without repetitions of a rule at one place. */
function distinct(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const seen = new Set<string>();
  return mismatches.filter(({ rule, path }) => {
    const key = `${rule} ${path}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Judges a profile beyond the form of its fields (contract, "Platform profile"). */
function judgePlatform({ body }: Exchange, { profile }: JudgeContext): readonly Mismatch[] {
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

/** Observes the form of a bearer (open: "Session"), and warns of one that can be guessed or not be sent. */
function observeBearer(bearer: unknown): {
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
} {
  if (typeof bearer !== "string") return { observations: [], advice: [] };
  const advice: Advice[] = [];
  if (bearer.length < 22) {
    advice.push({
      rule: "SESSION-12",
      message: `a bearer of ${bearer.length} characters cannot hold 16 random bytes`,
    });
  }
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(bearer)) {
    advice.push({
      rule: "SESSION-14",
      message: "the bearer has characters that an Authorization header does not carry",
    });
  }
  return { observations: [{ point: "BEARER-FORMAT", reading: bearerFormat(bearer) }], advice };
}

function bearerFormat(bearer: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(bearer)) return "uuid";
  if (/^[0-9a-f]+$/i.test(bearer)) return "hex";
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer)) return "jwt";
  if (/^[A-Za-z0-9_-]+$/.test(bearer)) return "base64url";
  return /^[A-Za-z0-9+/]+=*$/.test(bearer) ? "base64" : "other";
}

/** Open points about members that the contract does not name, by operation. */
const EXTRA_FIELDS: Readonly<Partial<Record<Operation, string>>> = {
  platform: "EXTRA-FIELDS-PROFILE",
  challenge: "EXTRA-FIELDS-CHALLENGE",
  verify: "EXTRA-FIELDS-SESSION",
  build: "EXTRA-FIELDS-DRAFT",
};
const ENVELOPE_FIELDS = new Set(["status", "body"]);
/** Observes whether a response has members that the contract does not name (open, for every response). */
function observeExtraFields(exchange: Exchange, schemas: ResponseSchemas): readonly Observation[] {
  const { envelope, operation, body, status } = exchange;
  const found: Observation[] = [];
  const see = (point: string, value: unknown, named: ReadonlySet<string>, allowed = 0) => {
    if (isObject(value)) found.push({ point, reading: hasExtra(value, named, allowed) ? "other" : "none" });
  };
  see("ENVELOPE-EXTRA-FIELDS", envelope, ENVELOPE_FIELDS);
  if (status !== 200) {
    see("EXTRA-FIELDS-ERROR", body, schemas.errorFields);
    return found;
  }
  const point = (EXTRA_FIELDS as Readonly<Record<string, string>>)[operation];
  // The profile describes signing under a name that is not shown: one extra field is expected.
  if (point !== undefined) see(point, body, schemas.fields(operation), operation === "platform" ? 1 : 0);
  if (operation === "platform")
    found.push({ point: "SIGNING-DESCRIPTION", reading: "signing" in body ? "signing" : "other" });
  const { cost } = body;
  if (operation !== "build" || !isObject(cost)) return found;
  see("EXTRA-FIELDS-COST", cost, schemas.fields(operation, ["cost"]));
  const accounts = cost["accounts"];
  if (Array.isArray(accounts))
    see("EXTRA-FIELDS-COST-ACCOUNT", accounts[0], schemas.fields(operation, ["cost", "accounts", "*"]));
  return found;
}

function hasExtra(
  value: Readonly<Record<string, unknown>>,
  named: ReadonlySet<string>,
  allowed: number,
): boolean {
  return Object.keys(value).filter((name) => !named.has(name)).length > allowed;
}

/** Maximum number of remembered responses. */
const MOST_KNOWN = 2000;

/**
 * Judges responses by themselves, and remembers which were correct: a search receives the same few refusals and drafts
 * many times. The expiry of a draft differs each time, and the judge requires only that it is an integer.
 */
export class QuickJudge {
  /** Bodies without mismatches, by {@link keyOf}. */
  readonly #sound = new Map<string, Exchange["body"]>();

  mismatches(exchange: Exchange, context: JudgeContext): readonly Mismatch[] {
    const key = keyOf(exchange, context);
    const known = key === undefined ? undefined : this.#sound.get(key);
    if (known !== undefined && sameButMoment(exchange.body, known)) return [];
    const { mismatches } = judgeExchange(exchange, context);
    if (mismatches.length === 0 && key !== undefined && this.#sound.size < MOST_KNOWN)
      this.#sound.set(key, exchange.body);
    return mismatches;
  }
}

/** Everything besides the body that the judgement depends on; undefined where it depends on time. */
function keyOf(
  { operation, request, status, body, envelope }: Exchange,
  { profile, creatorOf }: JudgeContext,
): string | undefined {
  if (!isObject(envelope) || Object.keys(envelope).length > 2) return undefined;
  if (status !== 200) {
    const known = responseSchemas().errorFields;
    const plain = Object.keys(body).every((name) => known.has(name));
    return plain ? `${operation} ${status} ${String(body["code"])}` : undefined;
  }
  // A profile is also compared with the first one.
  if (operation === "platform")
    return profile === undefined || sameJson(body, profile) ? operation : undefined;
  if (operation !== "build" || !Number.isInteger(body["expiresAt"])) return undefined;
  return `${creatorOf?.(request.bearer) ?? ""} ${String(request.body)}`;
}

function sameButMoment(body: Exchange["body"], known: Exchange["body"]): boolean {
  const names = Object.keys(body);
  return (
    names.length === Object.keys(known).length &&
    names.every((name) => name === "expiresAt" || sameJson(body[name], known[name]))
  );
}
