import { SPELLINGS, type Spelling } from "../vectors/syntax.ts";
import type { Fields, Template } from "../vectors/vector.ts";
import { padTo, spell } from "./spelling.ts";
import { BadStep } from "./step-ends.ts";

/**
 * The body of a request: the members that it has by itself, and what the fields of a step change in them (`omit`,
 * `extra`, a member of its own, `spelling`, `pad-to`, `replace`, `replaceBase64`), or a text, bytes or value in their
 * place (`body`, `bodyBase64`, `json`).
 * @returns exact text; bytes where it is not valid UTF-8; undefined for no body
 * @throws {BadStep} for fields that no body can have
 */
export function jsonBody(
  members: Readonly<Record<string, Template>> | undefined,
  fields: Fields,
): string | Uint8Array | undefined {
  const { body, bodyBase64, json } = fields;
  if (body === null) return undefined;
  if (body !== undefined) return text(body, "body");
  if (bodyBase64 !== undefined) return bytesOrText(text(bodyBase64, "bodyBase64"));
  if (json !== undefined) return JSON.stringify(json);
  if (members === undefined) return undefined;
  const omitted = (fields["omit"] as readonly string[] | undefined) ?? [];
  for (const name of omitted) {
    if (!Object.hasOwn(members, name))
      throw new BadStep(`omit names "${name}", which the body does not have`);
  }
  const entries: (readonly [string, Template])[] = [];
  for (const name of Object.keys(members)) {
    const member = fields[name] === undefined ? members[name] : fields[name];
    if (!omitted.includes(name)) entries.push([name, member ?? null]);
  }
  if (fields["extra"] !== undefined) entries.push(...Object.entries(fields["extra"] as Fields));
  const value: Template = Object.fromEntries(entries);
  const spelling = (fields["spelling"] as Spelling | undefined) ?? "compact";
  if (!SPELLINGS.includes(spelling))
    throw new BadStep(`"${spelling}" is no spelling; there are ${SPELLINGS.join(", ")}`);
  const written = spell(value, spelling);
  if (fields["replace"] !== undefined) return replaced(written, fields["replace"]);
  if (fields["replaceBase64"] !== undefined) return withBytes(written, fields["replaceBase64"]);
  if (fields["pad-to"] === undefined) return written;
  const size = Number(fields["pad-to"]);
  const least = Buffer.byteLength(written);
  if (!(size >= least)) throw new BadStep(`the body has ${least} bytes already, and pad-to asks for ${size}`);
  return padTo(written, size);
}

/** `[search, text, search, text, …]`: for each search in turn, its first occurrence gives way to the text. */
function replaced(written: string, pairs: Template): string {
  const texts = Array.isArray(pairs) ? pairs.map((part) => text(part, "replace")) : [];
  if (texts.length === 0 || texts.length % 2 > 0) throw new BadStep("replace takes [search, text, …]");
  let result = written;
  for (let index = 0; index < texts.length; index += 2) {
    const [search = "", replacement = ""] = texts.slice(index, index + 2);
    if (!result.includes(search)) throw new BadStep(`"${search}" is not in the body`);
    result = result.replace(search, () => replacement);
  }
  return result;
}

/** `[search, bytes as base64]`: its first occurrence gives way to the bytes. */
function withBytes(written: string, pair: Template): string | Uint8Array {
  const [search, base64] = Array.isArray(pair) ? pair.map((part) => text(part, "replaceBase64")) : [];
  if (search === undefined || base64 === undefined)
    throw new BadStep("replaceBase64 takes [search, bytes as base64]");
  const [before, ...after] = written.split(search);
  if (after.length === 0) throw new BadStep(`"${search}" is not in the body`);
  const rest = Buffer.from(after.join(search));
  const bytes = Buffer.concat([Buffer.from(before ?? ""), Buffer.from(base64, "base64"), rest]);
  return bytesOrText(bytes.toString("base64"));
}

/** Bytes that happen to be valid UTF-8 travel as text, as the adapter protocol asks. */
function bytesOrText(base64: string): string | Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded, "utf8").equals(bytes) ? decoded : new Uint8Array(bytes);
}

/** A field that must be a text. @throws {BadStep} where it is none */
export function text(value: Template | undefined, name: string): string {
  if (typeof value !== "string") throw new BadStep(`"${name}" must be a text`);
  return value;
}
