import { createHash } from "node:crypto";
import type { ServiceRequest } from "../../adapters/adapter.ts";
import { padTo, SPELLINGS, type Spelling, spell } from "../../engine/vectors/spelling.ts";
import type { Fields, OperationVerb, Template } from "../../engine/vectors/vector.ts";

/** Method and path of the four operations (contract, "Endpoints"). */
const ROUTES: Readonly<Partial<Record<OperationVerb, { readonly method: string; readonly path: string }>>> = {
  platform: { method: "GET", path: "/v1/platform" },
  challenge: { method: "POST", path: "/v1/auth/challenge" },
  verify: { method: "POST", path: "/v1/auth/verify" },
  build: { method: "POST", path: "/v1/launch/build" },
};

/** What a vector's `build` asks for where it does not say otherwise. */
export const DEMO_COIN = { name: "Demo Coin", symbol: "DEMO" } as const;

/** A request in which a vector gave something that no request can carry; `message` says what. */
export class BadStep extends Error {
  override readonly name = "BadStep";
}

/**
 * The request of an operation step: the valid body that the step's verb stands for, and what the vector changes in it.
 * @param body the verb's own members, in the order of the contract
 * @param fields the step's fields, filled in
 */
export function operationRequest(
  verb: OperationVerb,
  body: Readonly<Record<string, Template>> | undefined,
  fields: Fields,
  credentials: { readonly bearer?: string; readonly key?: string } = {},
): ServiceRequest {
  const route = ROUTES[verb];
  const content = bodyOf(body, fields);
  const bearer = textOrNone(fields, "bearer", credentials.bearer);
  const idempotencyKey = textOrNone(fields, "key", credentials.key);
  return {
    method: text(fields["method"] ?? route?.method, "method"),
    path: text(fields["path"] ?? route?.path, "path"),
    ...(content === undefined ? {} : { body: content }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function bodyOf(
  members: Readonly<Record<string, Template>> | undefined,
  fields: Fields,
): string | Uint8Array | undefined {
  const { body, bodyBase64, json } = fields;
  if (body === null) return undefined;
  if (body !== undefined) return text(body, "body");
  if (bodyBase64 !== undefined) return bytesOrText(text(bodyBase64, "bodyBase64"));
  if (json !== undefined) return JSON.stringify(json);
  if (members === undefined) return undefined;
  const omitted = new Set((fields["omit"] as readonly string[] | undefined) ?? []);
  for (const name of omitted) {
    if (!Object.hasOwn(members, name))
      throw new BadStep(`omit names "${name}", which the body does not have`);
  }
  const changed = Object.entries(members)
    .filter(([name]) => !omitted.has(name))
    .map(([name, value]) => [name, fields[name] === undefined ? value : fields[name]] as const);
  const extra = Object.entries((fields["extra"] as Fields | undefined) ?? {});
  const value = Object.fromEntries([...changed, ...extra]) as Template;
  const spelling = (fields["spelling"] as Spelling | undefined) ?? "compact";
  if (!SPELLINGS.includes(spelling))
    throw new BadStep(`"${spelling}" is no spelling; there are ${SPELLINGS.join(", ")}`);
  const written = spell(value, spelling);
  if (fields["pad-to"] === undefined) return written;
  const size = Number(fields["pad-to"]);
  const least = Buffer.byteLength(written);
  if (!(size >= least)) throw new BadStep(`the body has ${least} bytes already, and pad-to asks for ${size}`);
  return padTo(written, size);
}

/** Bytes that happen to be valid UTF-8 travel as text, as the adapter protocol asks. */
function bytesOrText(base64: string): string | Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded, "utf8").equals(bytes) ? decoded : new Uint8Array(bytes);
}

/** `null` in a vector stands for "none". */
function textOrNone(fields: Fields, name: string, usual: string | undefined): string | undefined {
  const value = fields[name];
  if (value === null) return undefined;
  return value === undefined ? usual : text(value, name);
}

function text(value: Template | undefined, name: string): string {
  if (typeof value !== "string") throw new BadStep(`"${name}" must be a text`);
  return value;
}

/** A label made short: the first characters of its SHA-256. */
export function shortHash(label: string): string {
  return createHash("sha256").update(label).digest("hex").slice(0, 12);
}

/** The five fields of a valid launch request, in the order of the contract. */
export function launchRequest(
  creator: string,
  mint: string,
  host: string,
): Readonly<Record<string, Template>> {
  return { creator, mint, ...DEMO_COIN, uri: `https://${host}/demo-coin.json` };
}
