import type { Violation } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { show } from "../../../engine/play/judgement.ts";
import { isStandardBase64 } from "../../judge/response-schemas.ts";
import type { Doubt } from "../../model/body-reading.ts";
import { openapiOperation } from "../../openapi.ts";
import { EXECUTION_WORDS, ROUTES } from "../../operations.ts";
import { hasForm, type PostOperation, requestFields } from "../../request-fields.ts";
import { type Asked, type ClientReading, type Launch, sameLaunch, wasTold } from "./client-reading.ts";
import { brokenBy, requestName } from "./found.ts";

/** Judges the form of each request by itself (contract, "Endpoints"). */
export function judgeRequests({ asked, launches }: ClientReading): readonly Violation[] {
  return asked.flatMap((one) => {
    switch (one.operation) {
      case "other":
        return isProfileOtherwise(one) ? judgeProfileRequest(one) : [];
      case "platform":
        return judgeProfileRequest(one);
      case "challenge": {
        const creators = launches.filter(({ record }) => record.fromTurn <= one.turn.index);
        return [...judgeBody(one, "challenge", "CLIENT-CHALLENGE-1"), ...judgeCreator(one, creators)];
      }
      case "verify":
        return [...judgeBody(one, "verify", "CLIENT-PROOF-1"), ...judgeSignatureText(one)];
      default:
        return [...judgeBody(one, "build", "CLIENT-BUILD-1"), ...judgeKey(one)];
    }
  });
}

/** Whether a request for the profile has a method that carries a body. */
function isProfileOtherwise({ path, turn: { request } }: Asked): boolean {
  return path === ROUTES.platform.path && ["POST", "PUT", "PATCH"].includes(request.method);
}

function judgeProfileRequest(asked: Asked): readonly Violation[] {
  const { query = "", body } = asked;
  const { method } = asked.turn.request;
  if (query === "" && body.bytes === 0 && method === ROUTES.platform.method) return [];
  return [
    brokenBy(asked, "CLIENT-PROFILE-2", {
      message: "the profile is requested by other than its bare route",
      expected: `${ROUTES.platform.method} ${ROUTES.platform.path}, no body and no parameters`,
      got: `${method} ${show(asked.turn.request.target)}, a body of ${body.bytes} bytes`,
    }),
  ];
}

/** Judges how a body is written, and the type and form of its members. */
function judgeBody(asked: Asked, operation: PostOperation, rule: string): readonly Violation[] {
  const { body } = asked;
  const { mostBytes, names } = requestFields(operation);
  const found = [...judgeWriting(asked, mostBytes), ...judgeContentType(asked)];
  if (body.kind !== "object" && body.kind !== "absent") return found;
  const wrong = [
    ...names.flatMap((name) => memberFault(operation, name, body.members[name])),
    ...Object.keys(body.members)
      .filter((name) => !names.includes(name))
      .map((name) => `${show(name, 60)}, which the request does not have`),
  ];
  if (wrong.length === 0) return found;
  return [
    ...found,
    brokenBy(asked, rule, {
      message: `the body of ${requestName(asked)} does not match the contract`,
      expected: `exactly ${names.join(", ")}, each as described`,
      got: body.kind === "absent" ? "no body" : wrong.join("; "),
    }),
  ];
}

/** Members of which only the type is judged here: other rules judge them, or the client only passes them on. */
const JUDGED_ELSEWHERE = new Set(["signatureBase64", "id", "creator", "name", "symbol", "uri", "mint"]);

function memberFault(operation: PostOperation, name: string, value: unknown): readonly string[] {
  if (value === undefined) return [`no ${name}`];
  if (typeof value !== "string") return [`${name} is ${show(value, 60)}, not a string`];
  if (operation === "build" || JUDGED_ELSEWHERE.has(name)) return [];
  return hasForm(operation, name, value) ? [] : [`${name} is ${show(value, 100)}`];
}

function judgeWriting(asked: Asked, mostBytes: number): readonly Violation[] {
  const { body } = asked;
  const faults = body.doubts.map((doubt) => DOUBTS[doubt]);
  if (body.bytes > mostBytes) faults.push(`${body.bytes} bytes`);
  if (body.kind === "no-json") faults.push("not JSON");
  if (body.kind === "no-utf-8") faults.push("not UTF-8");
  if (body.kind === "no-object") faults.push("JSON, but not an object");
  if (faults.length === 0) return [];
  return [
    brokenBy(asked, "CLIENT-BUILD-4", {
      message: `the body of ${requestName(asked)} is not one that every service reads`,
      expected: `a JSON object in UTF-8 of at most ${mostBytes} bytes`,
      got: faults.join("; "),
    }),
  ];
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  "JSON-BOM": "a byte order mark before it",
  "JSON-INVALID-UTF-8": "bytes that are not UTF-8",
  "JSON-DUPLICATE-KEY": "a member twice",
  "JSON-DEEP-NESTING": "nesting deeper than some readers go",
  "odd-number": "a number that not every reader holds",
  "half-surrogate": "half of a surrogate pair",
};

/** Judges the content type; in process there are no such headers. */
function judgeContentType(asked: Asked): readonly Violation[] {
  const { headers } = asked.turn.request;
  if (asked.body.bytes === 0 || !headers.some(([name]) => name === "host")) return [];
  const types = headers.filter(([name]) => name === "content-type").map(([, value]) => value);
  if (types.length === 1 && /^application\/json *(?:;|$)/i.test(types[0] ?? "")) return [];
  return [
    brokenBy(asked, "CLIENT-BUILD-5", {
      message: `${requestName(asked)} does not say that its body is JSON`,
      expected: "content-type: application/json",
      got: types.length === 0 ? "none" : show(types.join(", ")),
    }),
  ];
}

function judgeCreator(asked: Asked, launches: ClientReading["launches"]): readonly Violation[] {
  const { creator } = asked.body.members;
  if (typeof creator !== "string" || launches.some((launch) => launch.creator === creator)) return [];
  return [
    brokenBy(asked, "CLIENT-CHALLENGE-1", {
      message: "a challenge is requested for a creator of no launch",
      expected: [...new Set(launches.map((launch) => launch.creator))].join(" or "),
      got: show(creator),
    }),
  ];
}

function judgeSignatureText(asked: Asked): readonly Violation[] {
  const { signatureBase64 } = asked.body.members;
  if (typeof signatureBase64 !== "string") return [];
  if (hasForm("verify", "signatureBase64", signatureBase64) && isStandardBase64(signatureBase64)) return [];
  return [
    brokenBy(asked, "CLIENT-PROOF-3", {
      message: "the signature does not match the contract's form",
      expected: "64 bytes in standard base64, padded: 86 characters and ==",
      got: show(signatureBase64),
    }),
  ];
}

let keyForm: RegExp | undefined;

/** Whether a text has the form of an Idempotency-Key in the OpenAPI file. */
export function isIdempotencyKey(text: string): boolean {
  keyForm ??= readKeyForm();
  return keyForm.test(text);
}

function readKeyForm(): RegExp {
  const parameters = openapiOperation("build").parameters ?? [];
  const schema = parameters.find(({ name }) => name === "Idempotency-Key")?.schema;
  if (!isObject(schema)) throw new Error("the OpenAPI file has no Idempotency-Key");
  return new RegExp(String(schema["pattern"]));
}

function judgeKey(asked: Asked): readonly Violation[] {
  const { keys, key } = asked;
  if (key !== undefined && isIdempotencyKey(key)) return [];
  return [
    brokenBy(asked, "CLIENT-BUILD-3", {
      message: "a build is sent without an Idempotency-Key that every service takes",
      expected: "one header of 8 to 64 letters, digits, underscores and hyphens",
      got: keys.length === 0 ? "none" : keys.map((one) => show(one, 80)).join(" and "),
    }),
  ];
}

/** Judges where a client sends requests (contract, "Endpoints"): routes that would execute something, or do not exist. */
export function judgeRoutes({ asked }: ClientReading): readonly Violation[] {
  return asked.flatMap((one) => {
    if (one.operation === "other") {
      if (executes(one.path)) return [executing(one)];
      return isProfileOtherwise(one) ? [] : [elsewhere(one)];
    }
    const queried = one.operation !== "platform" && (one.query ?? "") !== "";
    return queried ? [elsewhere(one)] : [];
  });
}

function executing(asked: Asked): Violation {
  return brokenBy(asked, "CLIENT-ROUTE-1", {
    message: "a request to a route that would execute something",
    expected: "none: the service has no such route",
    got: requestName(asked),
  });
}

function elsewhere(asked: Asked): Violation {
  const { method, target } = asked.turn.request;
  return brokenBy(asked, "CLIENT-ROUTE-2", {
    message: "a request to a route that the contract does not name",
    expected: `one of ${NAMED}`,
    got: show(`${method} ${target}`),
  });
}

const NAMED = Object.values(ROUTES)
  .map(({ method, path }) => `${method} ${path}`)
  .join(", ");

/** The route that a request nearly meets: only the method, a slash, the case or the version differs. */
export function meantRoute({ path }: Asked): string | undefined {
  const meant = Object.values(ROUTES).find((route) => withoutTrifles(route.path) === withoutTrifles(path));
  return meant === undefined ? undefined : `${meant.method} ${meant.path}`;
}

function withoutTrifles(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/+/g, "/")
    .replace(/\/$/, "")
    .replace(/^\/(?:api\/)?(?:v\d+\/)?/, "");
}

/** Words for what the contract's execution routes would do. */
const ALIKE = ["submit", "broadcast", "execute", "withdraw", "swap", "purchase", "transfer", "redeem"];

const EXECUTION = new Set([...EXECUTION_WORDS, ...ALIKE].flatMap((word) => [word, `${word}s`]));

/** Whether a path has a word that names an execution; signing in is not signing. */
function executes(path: string): boolean {
  const words = path
    .replace(/pay[-_]out/gi, "payout")
    .replace(/sign[-_](?:in|up|on|out|off)(?![a-z])/gi, "")
    .replace(/[Ss]ign(?:In|Up|On|Out|Off)(?![a-z])/g, "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  return words.some((word) => EXECUTION.has(word));
}

/** Judges that the terms hash of a challenge is that of an earlier profile (contract, "Platform profile"). */
export function judgeTermsHash({ asked }: ClientReading): readonly Violation[] {
  const told = new Set<string>();
  return asked.flatMap((one) => {
    const { operation, status, answer, body } = one;
    if (operation === "platform" && status === 200 && typeof answer["termsHash"] === "string")
      told.add(answer["termsHash"]);
    const { termsHash } = body.members;
    if (operation !== "challenge" || typeof termsHash !== "string" || told.has(termsHash)) return [];
    return [
      brokenBy(one, "CLIENT-PROFILE-1", {
        message: "the terms hash is not the one of this service's profile",
        expected: told.size === 0 ? "a profile requested first, and its hash" : [...told].join(" or "),
        got: show(termsHash),
      }),
    ];
  });
}

/** Judges that builds request what the client was given to launch (contract, "Launch request"). */
export function judgeLaunchInput(reading: ClientReading): readonly Violation[] {
  const builds = reading.asked.filter(({ operation }) => operation === "build");
  return builds.flatMap((one) => {
    if (isAsGiven(one, reading) || wasCorrected(one, builds)) return [];
    const wanted = nearest(one, candidates(one, reading));
    if (wanted === undefined) return [];
    const changed = changedFields(one, wanted);
    return [
      brokenBy(one, "CLIENT-BUILD-2", {
        message: "a build requests another launch than the client was given",
        expected: changed.map((name) => `${name} ${show(wanted.input[name], 80)}`).join(", "),
        got: changed.map((name) => `${name} ${show(one.body.members[name], 80)}`).join(", "),
      }),
    ];
  });
}

/** Whether the members that a build has are those of a launch that may have sent it. */
export function isAsGiven(build: Asked, reading: ClientReading): boolean {
  return candidates(build, reading).some((launch) => changedFields(build, launch).length === 0);
}

function candidates(build: Asked, { launches }: ClientReading): readonly Launch[] {
  const underWay = launches.filter(
    ({ record }) =>
      build.turn.tasks.includes(record.id) &&
      record.fromTurn <= build.turn.index &&
      build.turn.index < record.toTurn,
  );
  return underWay.length > 0
    ? underWay
    : launches.filter(({ record }) => record.fromTurn <= build.turn.index);
}

/** Names of changed members; those that are missing or not a text violate the rule about the form of the body. */
function changedFields({ body: { members } }: Asked, { input }: Launch): readonly string[] {
  return Object.keys(input).filter(
    (name) => typeof members[name] === "string" && members[name] !== input[name],
  );
}

function nearest(build: Asked, launches: readonly Launch[]): Launch | undefined {
  return [...launches].sort((a, b) => changedFields(build, a).length - changedFields(build, b).length)[0];
}

/** Whether a client corrected input that a service had refused as invalid. */
function wasCorrected(build: Asked, builds: readonly Asked[]): boolean {
  return builds.some(
    (earlier) =>
      (earlier.status === 400 || earlier.status === 413) &&
      wasTold(earlier, build) &&
      (sameLaunch(earlier, build) || isOfOneId(earlier, build)),
  );
}

/** Whether two requests are of launches with one id: a user may start a launch more than once. */
function isOfOneId(one: Asked, other: Asked): boolean {
  const ids = new Set(one.launches.map(({ record }) => record.task["id"]));
  return other.launches.some(({ record }) => ids.has(record.task["id"]));
}
