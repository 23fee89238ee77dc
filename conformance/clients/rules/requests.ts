/** Rules about single requests. Each test returns what is wrong with a request. */
import { signedBytesOf } from "../../adapters/info.ts";
import { MAX_BODY_BYTES, ROUTES } from "../../contract/constants.ts";
import { BODY_FIELDS, IDEMPOTENCY_KEY, TERMS_HASH } from "../../contract/refusals.ts";
import { isStandardBase64 } from "../../contract/response-schemas.ts";
import { show } from "../../data/json.ts";
import { decodeSignature } from "../../model/proof.ts";
import {
  answeredBefore,
  type ClientExchange,
  challengeOf,
  type History,
  hasStatus,
  isAnsweredBefore,
  sessionOf,
} from "../history.ts";
import { isSignature } from "../service/translator.ts";
import { type RuleTable, requests, requestsOf, sent } from "./rule.ts";

/** Minimum length of a bearer to search for. A request can contain a shorter one by chance. */
export const MIN_BEARER_LENGTH = 8;

/** Words for actions without a route (contract, "Endpoints"). "sign-in" and "sign-out" do not count. */
const EXECUTION_WORDS = [
  "sign(?![-_]?(?:in|up|on|out|off)\\b)",
  "send|buy|claim|pay[-_]?out|submit|broadcast|execute|withdraw|swap|purchase|transfer|redeem",
];
const EXECUTION = new RegExp(`(?<![a-z])(?:${EXECUTION_WORDS.join("|")})s?(?![a-z])`, "i");

export const REQUEST_RULES: RuleTable = {
  "ROUTE-1": requests(
    sent("verify"),
    "no request that would sign, send, buy, claim, or pay out",
    ({ operation, path, request }) =>
      operation === "other" && EXECUTION.test(path) && `${request.method} ${path}`,
  ),
  // Other rules cover requests for the profile, and requests for routes that would execute something.
  "ROUTE-2": requests(sent("verify"), "only routes of the contract, without a query", (exchange, history) => {
    const { operation, path, query, request } = exchange;
    if (isRedirected(exchange, history)) return undefined;
    const isUnknown = operation === "other" ? !EXECUTION.test(path) : query !== "";
    return isUnknown && path !== ROUTES.platform.path && `${request.method} ${request.path}`;
  }),
  // The path of a request that is not below the base URL is the whole URL.
  "ROUTE-3": requests(
    sent("verify"),
    "no bearer, Idempotency-Key, or proof in a request that is not below the base URL",
    ({ operation, path, request: { bearer, idempotencyKey }, fields }) => {
      const carried = { bearer, "Idempotency-Key": idempotencyKey, proof: fields["signatureBase64"] };
      const [name] = Object.entries(carried).find(([, value]) => value !== undefined) ?? [];
      return operation === "other" && !path.startsWith("/") && name && `the ${name} at ${path}`;
    },
  ),
  "PROFILE-1": requestsOf(
    "challenge",
    "a terms hash from a profile that this service returned",
    (request, history) => {
      const { termsHash } = request.fields;
      const profiles = answeredBefore(request, "platform", history);
      const isKnown = profiles.some(({ body }) => body["termsHash"] === termsHash);
      return typeof termsHash === "string" && !isKnown && show(termsHash);
    },
  ),
  "PROFILE-2": requests(
    sent("platform"),
    "a GET request without body or query",
    ({ request, path, query }) => {
      if (path !== ROUTES.platform.path) return undefined;
      if (request.method !== ROUTES.platform.method) return `the method ${request.method}`;
      if (query !== "") return `the query ${show(query)}`;
      return request.bytes.length > 0 && `a body of ${request.bytes.length} bytes`;
    },
  ),
  "CHALLENGE-1": requestsOf(
    "challenge",
    "a body with only the creator of a launch and a terms hash",
    (request, { launches }) => {
      const { creator, termsHash } = request.fields;
      const isOther = typeof creator === "string" && launches.every((one) => one.creator.address !== creator);
      if (isOther) return `the creator ${show(creator)}, which no launch of the trial has`;
      if (typeof termsHash === "string" && !TERMS_HASH.test(termsHash)) return `the hash ${show(termsHash)}`;
      return wrongFields(request, BODY_FIELDS.challenge);
    },
  ),
  "PROOF-1": requestsOf(
    "verify",
    "a body with only a signature and the ID of a challenge that the service issued",
    (proof, history) => {
      const { id } = proof.fields;
      const isUnknown = typeof id === "string" && challengeOf(proof, history) === undefined;
      if (isUnknown) return `the ID ${show(id)}, which the service did not issue`;
      return wrongFields(proof, BODY_FIELDS.verify);
    },
  ),
  // Another rule covers signatures that are not 64 bytes.
  "PROOF-2": requestsOf(
    "verify",
    "a signature by the creator, over the message exactly as received",
    (proof, history) => {
      const challenge = challengeOf(proof, history);
      const signature = signatureOf(proof)?.toString("base64");
      if (challenge === undefined || signature === undefined) return undefined;
      const signed = signedBytesOf(history.signedBytes, String(challenge.body["message"]));
      const isValid = isSignature(signature, signed, String(challenge.fields["creator"]));
      return !isValid && "a signature that is not valid for the message";
    },
  ),
  "PROOF-3": requestsOf("verify", "a signature of 64 bytes in padded standard base64", (proof) => {
    const { signatureBase64: text } = proof.fields;
    const isRight = typeof text !== "string" || (isStandardBase64(text) && signatureOf(proof) !== undefined);
    return !isRight && show(text);
  }),
  "SESSION-1": requestsOf(
    "build",
    "a bearer exactly as the service issued it",
    (build, history) => sessionOf(build, history) === undefined && show(build.request.bearer),
  ),
  "SESSION-2": requestsOf("build", "the creator of the session", (build, history) => {
    const session = sessionOf(build, history);
    const owner = session && challengeOf(session, history)?.fields["creator"];
    const { creator } = build.fields;
    const isOther = owner !== undefined && typeof creator === "string" && owner !== creator;
    return isOther && `the creator ${show(creator)} with a session of ${show(owner)}`;
  }),
  // Searches the path and the headers of each request that is not a build.
  "SESSION-4": requests(sent("build"), "a bearer only in build requests", (exchange, history) => {
    const { operation, request } = exchange;
    const texts = [request.path, ...Object.values(request.headers).flat()];
    const isFound = answeredBefore(exchange, "verify", history).some((proof) => {
      const bearer = hasStatus(proof, 200) ? proof.body["bearer"] : undefined;
      if (typeof bearer !== "string" || bearer.length < MIN_BEARER_LENGTH) return false;
      return texts.some((text) => text.includes(bearer));
    });
    return operation !== "build" && isFound && "a bearer in a request that is not a build";
  }),
  "BUILD-1": requestsOf("build", "exactly the five launch fields, each a string", (build) =>
    wrongFields(build, BODY_FIELDS.build),
  ),
  // After a refusal, changed input is allowed, also if the launch is repeated.
  "BUILD-2": requestsOf("build", "the unchanged values of the launch", (build, history) => {
    const { fields, launches } = build;
    const others = launches.map(({ input }) =>
      Object.keys(input).find((name) => typeof fields[name] === "string" && fields[name] !== input[name]),
    );
    const wasRefused = answeredBefore(build, "build", history).some(
      (earlier) =>
        hasStatus(earlier, 400, 413) &&
        earlier.launches.some(({ id }) => launches.some((launch) => launch.id === id)),
    );
    const [name = ""] = others;
    return !wasRefused && !others.includes(undefined) && `${name}: ${show(fields[name])}`;
  }),
  "BUILD-3": requestsOf(
    "build",
    "one Idempotency-Key of 8 to 64 letters, digits, underscores, and hyphens",
    ({ request: { idempotencyKey } }) => !IDEMPOTENCY_KEY.test(idempotencyKey ?? "") && show(idempotencyKey),
  ),
  "BUILD-4": requests(
    sent("challenge"),
    "a JSON object in UTF-8, of at most 16 KiB, that names each field once",
    ({ operation, request: { bytes }, input }) => {
      if (!(operation in BODY_FIELDS)) return undefined;
      if (bytes.length > MAX_BODY_BYTES) return `a body of ${bytes.length} bytes`;
      return bytes.length > 0 && input === undefined && show(bytes.toString());
    },
  ),
  // Calls in the same process have neither a Host header nor a content type.
  "BUILD-5": requests(
    sent("challenge"),
    "the content type application/json",
    ({ request: { headers, bytes } }) => {
      const type = headers["content-type"]?.join(", ") ?? "";
      const isJson = /^application\/json *(?:;|$)/i.test(type);
      return bytes.length > 0 && headers["host"] !== undefined && !isJson && show(type);
    },
  ),
};

/** Returns whether a request that is not below the base URL follows a redirect. */
function isRedirected(request: ClientExchange, { exchanges }: History): boolean {
  return exchanges.some(
    (earlier) =>
      earlier.fault.redirect !== undefined &&
      isAnsweredBefore(earlier, request) &&
      request.path.startsWith("http:") &&
      request.path.endsWith(earlier.path),
  );
}

/** Returns the 64 bytes of a proof's signature, or undefined. */
function signatureOf({ fields: { signatureBase64 } }: ClientExchange): Buffer | undefined {
  return typeof signatureBase64 === "string" ? decodeSignature(signatureBase64) : undefined;
}

/** Returns the first field that is extra, missing, or not a string. Ignores bodies that are not JSON. */
function wrongFields({ input, request }: ClientExchange, names: readonly string[]): string | undefined {
  if (input === undefined && request.bytes.length > 0) return undefined;
  const extra = Object.keys(input ?? {}).find((name) => !names.includes(name));
  if (extra !== undefined) return `the additional field ${show(extra)}`;
  const wrong = names.find((name) => typeof input?.[name] !== "string");
  return wrong === undefined ? undefined : `${wrong}: ${show(input?.[wrong])}`;
}
