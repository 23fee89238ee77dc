import { createHash } from "node:crypto";

/** Makes a bearer of another form, as unguessable as the one that it stands for. */
export type BearerForm = (bearer: string) => string;

const digest = (bearer: string) => createHash("sha256").update(bearer).digest();
const hex = (bearer: string) => digest(bearer).toString("hex");
const base64url = (text: string) => Buffer.from(text).toString("base64url");

/** Characters of the long one. */
const LONG = 4096;

/** Forms of a bearer, which the contract does not show: visible characters, since a header has to carry them. */
export const BEARER_FORMS = {
  hex,
  "upper-case-hex": (bearer) => hex(bearer).toUpperCase(),
  digits: (bearer) => BigInt(`0x${hex(bearer)}`).toString(),
  uuid: (bearer) => hex(bearer).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
  base64: (bearer) => `+/${digest(bearer).toString("base64").replace(/=+$/, "")}/+`,
  padded: (bearer) => `${digest(bearer).subarray(0, 31).toString("base64")}==`,
  "begins-with-equals": (bearer) => `=${hex(bearer)}=`,
  token: (bearer) =>
    `${base64url('{"alg":"EdDSA","typ":"JWT"}')}.${base64url(`{"jti":"${hex(bearer)}"}`)}.${bearer}`,
  "every-mark": (bearer) => `-._~+/${hex(bearer)}/+~_.-`,
  "begins-with-a-dash": (bearer) => `--${bearer}`,
  prefixed: (bearer) => `launch_live_${bearer}`,
  numbered: (bearer) => `17|${bearer}`,
  colons: (bearer) => `session:v1:${bearer}`,
  "percent-signs": (bearer) => `%41%2F${bearer}%3d%`,
  "other-marks": (bearer) => `!#$&'*^\`(){}[]<>@,;?${hex(bearer)}`,
  quoted: (bearer) => `"${bearer}"`,
  short: (bearer) => hex(bearer).slice(0, 12),
  "four-kilobytes": (bearer) => hex(bearer).repeat(LONG / 64),
} as const satisfies Readonly<Record<string, BearerForm>>;

export type BearerFormName = keyof typeof BEARER_FORMS;
