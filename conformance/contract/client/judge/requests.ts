import type { Violation } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { show } from "../../../engine/play/judgement.ts";
import { isStandardBase64 } from "../../judge/response-schemas.ts";
import type { Doubt } from "../../model/body-reading.ts";
import { openapiOperation } from "../../openapi.ts";
import { ROUTES } from "../../operations.ts";
import { hasForm, type PostOperation, requestFields } from "../../request-fields.ts";
import type { Asked, ClientReading } from "./client-reading.ts";
import { brokenBy, requestName } from "./found.ts";

/** The form of each request by itself (contract, "Endpoints"), whatever was asked before. */
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

/** Whether the profile is asked for by a method that carries a body. */
export function isProfileOtherwise({ path, turn: { request } }: Asked): boolean {
  return path === ROUTES.platform.path && ["POST", "PUT", "PATCH"].includes(request.method);
}

function judgeProfileRequest(asked: Asked): readonly Violation[] {
  const { query = "", body } = asked;
  const { method } = asked.turn.request;
  if (query === "" && body.bytes === 0 && method === ROUTES.platform.method) return [];
  return [
    brokenBy(asked, "CLIENT-PROFILE-2", {
      message: "the profile is asked for otherwise than by its bare route",
      expected: `${ROUTES.platform.method} ${ROUTES.platform.path}, no body and no parameters`,
      got: `${method} ${show(asked.turn.request.target)}, a body of ${body.bytes} bytes`,
    }),
  ];
}

/** How a body is written, and which members it has, of what type and form. */
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
      message: `the body of ${requestName(asked)} is not as the contract has it`,
      expected: `exactly ${names.join(", ")}, each as described`,
      got: body.kind === "absent" ? "no body" : wrong.join("; "),
    }),
  ];
}

/** Members that are judged elsewhere, or that a client passes on as it is given them, are held to their type alone. */
const JUDGED_ELSEWHERE = new Set(["signatureBase64", "id", "creator", "name", "symbol", "uri", "mint"]);

function memberFault(operation: PostOperation, name: string, value: unknown): readonly string[] {
  if (value === undefined) return [`no ${name}`];
  if (typeof value !== "string") return [`${name} is ${show(value, 60)}, no string`];
  if (operation === "build" || JUDGED_ELSEWHERE.has(name)) return [];
  return hasForm(operation, name, value) ? [] : [`${name} is ${show(value, 100)}`];
}

function judgeWriting(asked: Asked, mostBytes: number): readonly Violation[] {
  const { body } = asked;
  const faults = body.doubts.map((doubt) => DOUBTS[doubt]);
  if (body.bytes > mostBytes) faults.push(`${body.bytes} bytes`);
  if (body.kind === "no-json") faults.push("no JSON");
  if (body.kind === "no-utf-8") faults.push("no UTF-8");
  if (body.kind === "no-object") faults.push("JSON, but no object");
  if (faults.length === 0) return [];
  return [
    brokenBy(asked, "CLIENT-BUILD-4", {
      message: `the body of ${requestName(asked)} is not what every service reads`,
      expected: `a JSON object in UTF-8 of at most ${mostBytes} bytes`,
      got: faults.join("; "),
    }),
  ];
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  "JSON-BOM": "a byte order mark before it",
  "JSON-INVALID-UTF-8": "bytes that are no UTF-8",
  "JSON-DUPLICATE-KEY": "a member twice",
  "JSON-DEEP-NESTING": "nesting deeper than some readers go",
  "odd-number": "a number that not every reader holds",
  "half-surrogate": "half of a surrogate pair",
};

/** In process there are no such headers. */
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
      message: "a challenge is asked for a creator of no launch",
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
      message: "the signature is not written as the contract has it",
      expected: "64 bytes in standard base64, padded: 86 characters and ==",
      got: show(signatureBase64),
    }),
  ];
}

let keyForm: RegExp | undefined;

/** The form of an Idempotency-Key, as the OpenAPI file has it. */
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
