import { createHmac } from "node:crypto";
import type { ServiceRequest } from "../../adapters/adapter.ts";
import {
  callerIn,
  type Fields,
  headersOf,
  type RecordedExchange,
  type RecordedResponse,
} from "../../engine/audit/recorded.ts";
import { readProof } from "../model/verify-faults.ts";

/** A request or a response as it passed. */
export interface MaskedMessage {
  readonly headers: Fields;
  readonly body: string | Uint8Array | undefined;
}

/** Prefix of every mask. */
export const MASKED = "masked:";

/** Headers whose whole value is a secret. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(["cookie", "set-cookie"]);
/** Headers that name a scheme before the secret (RFC 9110, section 11.4). */
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "proxy-authorization"]);
/** Members of bodies that are secrets (contract, "Session" and "POST /v1/auth/verify"). */
const SECRET_MEMBERS = ["bearer", "signatureBase64"] as const;
/** Their values as they stand in JSON, and in what was meant to be JSON. */
const IN_TEXT = /("(bearer|signatureBase64)"\s*:\s*)("(?:[^"\\]|\\.)*")/g;
/** Shortest secret that is masked everywhere: a shorter text would match by accident. */
const LEAST_SECRET = 16;
/** Most issued bearers that are remembered. */
const MOST_BEARERS = 200_000;
/** Characters of a mask: 132 bits, of which no two secrets share all. */
const MASK_LENGTH = 22;

/**
 * Replaces secrets by masks: equal ones for equal secrets, by a key that is never stored. A text in
 * place of a signature that is not one is left as it is, since the service is judged by it.
 */
export class SecretMasks {
  readonly #key: Uint8Array;
  /** Bearers that the service gave out: another word that a client sends as a bearer is not masked in responses. */
  readonly #issued = new Set<string>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Masks the secrets of a request and its response; known secrets are masked everywhere in the two. */
  masked<Messages extends readonly (MaskedMessage | undefined)[]>(messages: Messages): Messages {
    const found = new Map<string, string>();
    const once = messages.map((message, index) => message && this.#one(message, index > 0, found));
    const known = [...found].filter(([secret]) => secret.length >= LEAST_SECRET);
    const everywhere = (text: string) =>
      known.reduce((masked, [secret, mask]) => masked.replaceAll(secret, mask), text);
    return once.map(
      (message) =>
        message && {
          headers: message.headers.map(([name, value]) => [name, everywhere(value)] as const),
          body: inText(message.body, everywhere),
        },
    ) as unknown as Messages;
  }

  /** Masks the secrets of a recorded exchange. */
  exchange(recorded: RecordedExchange): RecordedExchange {
    const { request, headers, response } = recorded;
    const { bearer: _, authorization: __, body, ...rest } = request;
    const sent: MaskedMessage = { headers: headersOf(recorded), body };
    const answer = response && { headers: response.headers ?? [], body: response.body };
    const [asked = sent, answered] = this.masked([sent, answer]);
    const { credentials, idempotencyKey: ___, ...caller } = callerIn(asked.headers);
    return {
      ...recorded,
      request: { ...rest, ...caller, ...(asked.body === undefined ? {} : { body: asked.body }) },
      ...(headers === undefined ? {} : { headers: asked.headers }),
      credentials,
      ...(response === undefined || answered === undefined
        ? {}
        : { response: withMasks(response, answered) }),
    };
  }

  /** Masks the secrets of a JSON value, such as an exchange in a report. */
  inValue<Value>(value: Value): Value {
    return this.#inValue(value) as Value;
  }

  #inValue(value: unknown): unknown {
    const mask = (secret: string) => (secret.startsWith(MASKED) ? secret : this.#mask(secret));
    if (typeof value === "string") return value.includes('"') ? maskedMembers(value, mask) : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const [name, header, ...rest] = value;
      const isHeader = typeof name === "string" && typeof header === "string" && rest.length === 0;
      if (isHeader) return [name, maskedHeader(name.toLowerCase(), header, mask)];
      return value.map((one) => this.#inValue(one));
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isSecretMember = typeof member === "string" && isSecret(name, member);
        return [name, isSecretMember ? mask(member) : this.#inValue(member)];
      }),
    );
  }

  #one({ headers, body }: MaskedMessage, isAnswer: boolean, found: Map<string, string>): MaskedMessage {
    const mask = (secret: string, member?: string): string => {
      const masked = this.#mask(secret);
      if (isAnswer && member === "bearer") this.#note(secret);
      if (member === "signatureBase64" || this.#issued.has(secret)) found.set(secret, masked);
      return masked;
    };
    return {
      headers: headers.map(([name, value]) => [name, maskedHeader(name.toLowerCase(), value, mask)] as const),
      body: inText(body, (text) => maskedMembers(text, mask)),
    };
  }

  #note(bearer: string): void {
    this.#issued.add(bearer);
    if (this.#issued.size <= MOST_BEARERS) return;
    for (const oldest of this.#issued) {
      this.#issued.delete(oldest);
      return;
    }
  }

  #mask(secret: string): string {
    const digest = createHmac("sha256", this.#key).update(secret).digest("base64url");
    return MASKED + digest.slice(0, MASK_LENGTH);
  }
}

function withMasks(response: RecordedResponse, { headers, body }: MaskedMessage): RecordedResponse {
  return {
    ...response,
    ...(response.headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}

function maskedHeader(name: string, value: string, mask: (secret: string) => string): string {
  if (SECRET_HEADERS.has(name)) return mask(value);
  if (!CREDENTIALS.has(name)) return value;
  const [, scheme = "", secret = ""] = /^(\S+\s+)?([\s\S]*)$/.exec(value) ?? [];
  return scheme + (secret === "" ? "" : mask(secret));
}

function maskedMembers(text: string, mask: (secret: string, member: string) => string): string {
  const masked = text.replace(IN_TEXT, (whole, before: string, name: string, literal: string) => {
    const value = parsed(literal);
    return typeof value === "string" && isSecret(name, value)
      ? before + JSON.stringify(mask(value, name))
      : whole;
  });
  // A name may be written in escapes.
  const value = parsed(masked);
  if (typeof value !== "object" || value === null) return masked;
  const members = value as Record<string, unknown>;
  let changed = false;
  for (const name of SECRET_MEMBERS) {
    const secret = members[name];
    if (typeof secret !== "string" || secret.startsWith(MASKED) || !isSecret(name, secret)) continue;
    members[name] = mask(secret, name);
    changed = true;
  }
  return changed ? JSON.stringify(members) : masked;
}

function isSecret(name: string, value: string): boolean {
  if (name === "bearer") return value !== "";
  if (name !== "signatureBase64") return false;
  const members = { signatureBase64: value };
  return (
    readProof({ bytes: 0, kind: "object", members, doubts: [], ambiguous: false }).signature !== undefined
  );
}

/** Changes a body as text; bytes that are not text are changed one by one. */
function inText(body: string | Uint8Array | undefined, change: (text: string) => string) {
  if (body === undefined || typeof body === "string") return body && change(body);
  return new Uint8Array(Buffer.from(change(Buffer.from(body).toString("latin1")), "latin1"));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Words that tools write in place of removed secrets. */
const WORDS = "redact|remov|mask|filter|sanitiz|scrub|omit|hidden|strip";
const REMOVED = new RegExp(
  [
    // [REDACTED], <bearer removed>, {{ hidden }}
    String.raw`^[[<({*-][^\]>)}]*(?:${WORDS})[^\]>)}]*[\]>)}*-]+$`,
    // REDACTED, __removed__
    String.raw`^\W*_*(?:redacted|removed|masked|filtered|sanitized|scrubbed|omitted|hidden|stripped)_*\W*$`,
    // ***, xxxxxxxx, •••, …
    String.raw`^(?:\*{2,}|[xX]{4,}|[•█.]{3,}|…)$`,
  ].join("|"),
  "i",
);
const VALUES = /"\s*:\s*"([^"\\]{2,80})"/g;

/** Whether a text replaces a secret that was removed from a recording. */
export function isRemoved(text: string | undefined): boolean {
  return text !== undefined && REMOVED.test(text);
}

/** Whether a member of a body was removed. */
export function holdsRemoved(body: string | Uint8Array | undefined): boolean {
  if (typeof body !== "string") return false;
  for (const [, value] of body.matchAll(VALUES)) if (isRemoved(value)) return true;
  return false;
}

/** A masked signature; equal signatures have equal masks. */
const MASKED_SIGNATURE = new RegExp(`("signatureBase64"\\s*:\\s*")(${MASKED}[^"]*)"`);

/** A signature in place of a mask: 64 bytes that begin as masks do. */
const STAND_IN = /("signatureBase64"\s*:\s*")(bWFza2VkO[A-Za-z0-9+/]{77}==)"/;

/** What a recording says of a signature that it does not contain; undefined where it contains it. */
export type ProofSaid = "holds" | "fails" | "unknown" | undefined;

/** Returns what a recording says of the proof of a request. */
export function proofSaid({ request, proof }: Pick<RecordedExchange, "request" | "proof">): ProofSaid {
  if (proof === "holds" || proof === "fails") return proof;
  const isMasked = typeof request.body === "string" && MASKED_SIGNATURE.test(request.body);
  return proof === undefined && isMasked ? "unknown" : undefined;
}

/** Replaces a masked signature by one of the right form, so that everything but its value can be judged. */
export function withSignature(request: ServiceRequest): ServiceRequest {
  if (typeof request.body !== "string") return request;
  const body = request.body.replace(MASKED_SIGNATURE, (_, before: string, mask: string) => {
    const bytes = Buffer.alloc(64);
    bytes.write(mask.slice(-64), "latin1");
    return `${before}${bytes.toString("base64")}"`;
  });
  return { ...request, body };
}

/** Restores the mask that {@link withSignature} replaced. */
export function asRecorded(request: ServiceRequest): ServiceRequest {
  if (typeof request.body !== "string") return request;
  const body = request.body.replace(STAND_IN, (_, before: string, base64: string) => {
    const [mask = ""] = Buffer.from(base64, "base64").toString("latin1").split("\0");
    return `${before}${mask}"`;
  });
  return { ...request, body };
}
