import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject } from "../engine/play/exchange.ts";
import { codingsIn, contentOf, textWherePossible } from "./content-coding.ts";
import { type Fields, isBrokenOff, lengthIn } from "./http-fields.ts";
import { isJson } from "./is-json.ts";
import { BODILESS, UNREAD_BYTES } from "./written-bodies.ts";

type Members = Readonly<Record<string, unknown>>;

/** A body as a HAR has it: what there was, where it is sure that this is all of it. */
export type HarBody = { readonly body: string | Uint8Array | undefined } | "lost";

/** What must be known of a HAR to tell what its bodies were. */
export interface HarOrigin {
  readonly file: string;
  /** Whether the kit wrote it: then what is not there was not. */
  readonly isOwn: boolean;
}

const NOTHING: HarBody = { body: undefined };

/**
 * The body of a request. Writers leave bodies out, cut them, spell them as parameters or decode them wrongly, and seldom say
 * so; what was sent is known where the lengths agree.
 */
export function requestBody(request: Members, headers: Fields, origin: HarOrigin): HarBody {
  const { method, bodySize } = request;
  const content = heldIn(request["postData"], origin);
  if (origin.isOwn)
    return codingsIn(headers).length > 0 || isBrokenOff(headers, content) ? "lost" : { body: content };
  if (BODILESS.has(method)) return NOTHING;
  // What a service makes of a coding is not in the contract.
  if (codingsIn(headers).length > 0) return "lost";
  const length = lengthIn(headers);
  const held = content === undefined || content.length === 0 ? fromParameters(request["postData"]) : content;
  if (held === undefined) {
    const saysNone = length === 0 || (length === undefined && bodySize === 0 && saysNoBody(headers));
    return saysNone ? NOTHING : "lost";
  }
  if (typeof held === "string" && UNREAD_BYTES.test(held)) return "lost";
  const bytes = Buffer.byteLength(held);
  if (length !== undefined) return bytes === length ? { body: held } : "lost";
  const isCut = typeof bodySize === "number" && bytes < bodySize;
  return isCut || held !== content ? "lost" : { body: held };
}

/** The body of an answer, without the coding in which it came. */
export function answerBody(response: Members, headers: Fields, origin: HarOrigin): HarBody {
  const { content } = response;
  const held = heldIn(content, origin);
  const { size } = members(content);
  if (held === undefined || held.length === 0) {
    const isKnown = origin.isOwn ? held !== undefined || size === 0 : lengthIn(headers) === 0;
    return isKnown ? { body: "" } : "lost";
  }
  const codings = codingsIn(headers);
  const body = typeof held === "string" ? held : contentOf(held, codings);
  if (body === undefined) return "lost";
  const length = Math.max(
    typeof size === "number" ? size : 0,
    codings.length === 0 ? (lengthIn(headers) ?? 0) : 0,
  );
  const isCut = !origin.isOwn && Buffer.byteLength(body) < length && !isJson(body);
  return isCut ? "lost" : { body };
}

/** What `postData` or `content` holds, in whichever of the ways that are in use. */
function heldIn(holder: unknown, { file }: HarOrigin): string | Uint8Array | undefined {
  const { text, encoding, _encoding, _file } = members(holder);
  if (typeof _file === "string") return attached(file, _file);
  if (typeof text !== "string") return undefined;
  const isBase64 = [encoding, _encoding].some((one) => /^base64$/i.test(String(one)));
  return isBase64 ? textWherePossible(Buffer.from(text, "base64")) : text;
}

/** A body in a file beside the HAR (Playwright's `attach`). */
function attached(file: string, name: string): string | Uint8Array | undefined {
  try {
    return textWherePossible(readFileSync(join(dirname(file), basename(name))));
  } catch {
    return undefined;
  }
}

/** A JSON object that was taken for a form: its members, put together again as programs write them. */
function fromParameters(postData: unknown): string | undefined {
  const { params, mimeType } = members(postData);
  if (!Array.isArray(params) || params.length === 0 || !/json/i.test(String(mimeType))) return undefined;
  return JSON.stringify(Object.fromEntries(params.map(members).map(({ name, value }) => [name, value])));
}

/** Whether headers are there, and none of them speaks of a body. */
function saysNoBody(headers: Fields): boolean {
  const ofBodies = new Set(["content-type", "transfer-encoding"]);
  return headers.length > 0 && !headers.some(([name]) => ofBodies.has(name.toLowerCase()));
}

function members(value: unknown): Members {
  return isObject(value) ? value : {};
}
