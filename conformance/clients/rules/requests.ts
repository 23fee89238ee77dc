/** Checks of single requests. Each function returns what is wrong with a request, or undefined. */
import { signedBytesOf } from "../../adapters/info.ts";
import { show } from "../../adapters/json.ts";
import { MAX_BODY_BYTES, ROUTES } from "../../contract/constants.ts";
import { BODY_FIELDS, IDEMPOTENCY_KEY, TERMS_HASH } from "../../contract/refusals.ts";
import { isStandardBase64 } from "../../contract/response-schemas.ts";
import { decodeSignature } from "../../model/proof.ts";
import {
  type ClientExchange,
  challengeOf,
  exchangesOf,
  type History,
  hasStatus,
  isAnsweredBefore,
  sessionOf,
} from "../history.ts";
import { isSignature } from "../service/translator.ts";

/** Shorter bearers are not searched for, because a request can contain them by chance. */
const MIN_BEARER_LENGTH = 8;

/**
 * Words for actions that no route of the contract performs (contract, "Endpoints"). Signing in, up, on, out,
 * and off is not signing.
 */
const EXECUTION_WORDS = [
  "sign(?![-_]?(?:in|up|on|out|off)\\b)",
  "send|buy|claim|pay[-_]?out|submit|broadcast|execute|withdraw|swap|purchase|transfer|redeem",
];
const EXECUTION = new RegExp(`(?<![a-z])(?:${EXECUTION_WORDS.join("|")})s?(?![a-z])`, "i");

export function toExecutionRoute({ operation, path, request }: ClientExchange): string | undefined {
  return operation === "other" && EXECUTION.test(path) ? `${request.method} ${path}` : undefined;
}

/** Excludes requests that another rule about routes or the profile finds. */
export function toUnknownRoute(exchange: ClientExchange): string | undefined {
  if (isForProfile(exchange) || toExecutionRoute(exchange) !== undefined) return undefined;
  const { operation, query, request } = exchange;
  return operation === "other" || query !== "" ? `${request.method} ${request.path}` : undefined;
}

export function forProfileInWrongForm(exchange: ClientExchange): string | undefined {
  const { request, query } = exchange;
  if (!isForProfile(exchange)) return undefined;
  if (request.method !== ROUTES.platform.method) return `the method ${request.method}`;
  if (query !== "") return `the query ${show(query)}`;
  return request.bytes.length > 0 ? `a body of ${request.bytes.length} bytes` : undefined;
}

function isForProfile({ path }: ClientExchange): boolean {
  return path === ROUTES.platform.path;
}

export function withUnknownTermsHash(request: ClientExchange, history: History): string | undefined {
  const { termsHash } = request.fields;
  if (typeof termsHash !== "string") return undefined;
  const isKnown = exchangesOf("platform", history).some(
    (profile) => isAnsweredBefore(profile, request) && profile.body["termsHash"] === termsHash,
  );
  return isKnown ? undefined : show(termsHash);
}

export function withWrongChallengeFields(request: ClientExchange, { launches }: History): string | undefined {
  const { creator, termsHash } = request.fields;
  const isOtherCreator =
    typeof creator === "string" && launches.every((launch) => launch.creator.address !== creator);
  if (isOtherCreator) return `the creator ${show(creator)}, of no launch`;
  if (typeof termsHash === "string" && !TERMS_HASH.test(termsHash)) return `the hash ${show(termsHash)}`;
  return wrongFields(request, BODY_FIELDS.challenge);
}

export function withWrongProofFields(proof: ClientExchange, history: History): string | undefined {
  const { id } = proof.fields;
  if (typeof id === "string" && challengeOf(proof, history) === undefined)
    return `the ID ${show(id)}, which the service did not issue`;
  return wrongFields(proof, BODY_FIELDS.verify);
}

/** Excludes signatures that are not 64 bytes. Another rule finds these. */
export function withInvalidSignature(proof: ClientExchange, history: History): string | undefined {
  const { signatureBase64 } = proof.fields;
  const challenge = challengeOf(proof, history);
  if (challenge === undefined || typeof signatureBase64 !== "string") return undefined;
  const signature = decodeSignature(signatureBase64)?.toString("base64");
  if (signature === undefined) return undefined;
  const signed = signedBytesOf(history.signedBytes, String(challenge.body["message"]));
  const isValid = isSignature(signature, signed, String(challenge.fields["creator"]));
  return isValid ? undefined : "a signature that is not valid for the message";
}

export function withWrongSignatureEncoding({ fields }: ClientExchange): string | undefined {
  const { signatureBase64 } = fields;
  if (typeof signatureBase64 !== "string") return undefined;
  const isRight = isStandardBase64(signatureBase64) && decodeSignature(signatureBase64) !== undefined;
  return isRight ? undefined : show(signatureBase64);
}

export function withoutIssuedBearer(build: ClientExchange, history: History): string | undefined {
  return sessionOf(build, history) === undefined ? show(build.request.bearer) : undefined;
}

export function withSessionOfOtherCreator(build: ClientExchange, history: History): string | undefined {
  const session = sessionOf(build, history);
  const challenge = session === undefined ? undefined : challengeOf(session, history);
  const owner = challenge?.fields["creator"];
  const { creator } = build.fields;
  const isOther = owner !== undefined && typeof creator === "string" && owner !== creator;
  return isOther ? `the creator ${show(creator)} with a session of ${show(owner)}` : undefined;
}

/** Searches the target and headers of a request that is not a build. */
export function withMisplacedBearer(exchange: ClientExchange, history: History): string | undefined {
  const { operation, request } = exchange;
  if (operation === "build") return undefined;
  const texts = [request.path, ...request.headers.map(([, value]) => value)];
  const isFound = exchangesOf("verify", history).some((proof) => {
    const bearer = hasStatus(proof, 200) ? proof.body["bearer"] : undefined;
    if (typeof bearer !== "string" || bearer.length < MIN_BEARER_LENGTH) return false;
    return texts.some((text) => text.includes(bearer));
  });
  return isFound ? `a bearer in a ${operation} request` : undefined;
}

export function withWrongBuildFields(build: ClientExchange): string | undefined {
  return wrongFields(build, BODY_FIELDS.build);
}

/** Allows other input after a refusal, also if the same launch is repeated. */
export function withOtherInputThanLaunch(build: ClientExchange, history: History): string | undefined {
  const { fields, launches } = build;
  const otherFieldsThan = (input: Readonly<Record<string, unknown>>) =>
    Object.keys(input).filter((name) => typeof fields[name] === "string" && fields[name] !== input[name]);
  const others = launches.map(({ input }) => otherFieldsThan(input));
  if (others.some((names) => names.length === 0)) return undefined;
  const ids = new Set(launches.map(({ id }) => id));
  const wasRefused = exchangesOf("build", history).some(
    (earlier) =>
      hasStatus(earlier, 400, 413) &&
      isAnsweredBefore(earlier, build) &&
      earlier.launches.some(({ id }) => ids.has(id)),
  );
  if (wasRefused) return undefined;
  const [[name = ""] = []] = others;
  return `${name}: ${show(fields[name])}`;
}

export function withoutValidKey({ request: { idempotencyKey } }: ClientExchange): string | undefined {
  const isValid = idempotencyKey !== undefined && IDEMPOTENCY_KEY.test(idempotencyKey);
  return isValid ? undefined : show(idempotencyKey);
}

export function withInvalidBody({ operation, request, input }: ClientExchange): string | undefined {
  const { bytes } = request;
  if (!(operation in BODY_FIELDS)) return undefined;
  if (bytes.length > MAX_BODY_BYTES) return `a body of ${bytes.length} bytes`;
  return bytes.length > 0 && input === undefined ? show(bytes.toString()) : undefined;
}

/** Excludes calls in the same process, which have no Host header. */
export function withOtherContentType({ request: { headers, bytes } }: ClientExchange): string | undefined {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  if (bytes.length === 0 || valuesOf("host").length === 0) return undefined;
  const type = valuesOf("content-type").join(", ");
  return /^application\/json *(?:;|$)/i.test(type) ? undefined : show(type);
}

/** Returns how a body does not have exactly these fields, each a string. Ignores bodies that are not JSON. */
function wrongFields({ input, request }: ClientExchange, names: readonly string[]): string | undefined {
  if (input === undefined && request.bytes.length > 0) return undefined;
  const given = Object.keys(input ?? {});
  const extra = given.find((name) => !names.includes(name));
  if (extra !== undefined) return `the field ${show(extra)}`;
  const wrong = names.find((name) => typeof input?.[name] !== "string");
  return wrong === undefined ? undefined : `${wrong}: ${show(input?.[wrong])}`;
}
