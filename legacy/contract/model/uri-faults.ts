import { launchBounds } from "../request-fields.ts";
import { certainBy, type RequestFault, uncertain } from "./request-fault.ts";

/** What no address is written with: anything outside printable ASCII, and the back slash. */
const ODD_CHARACTER = /[^\x21-\x7e]|\\/;

/** Labels of letters, digits and inner hyphens: what is none of it, a parser may call no address (RFC 1123, section 2.1). */
const PLAIN_HOST = /^(?!.*xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Parts of the path on which services differ: each is legal to accept and legal to refuse. */
const DOUBTS: readonly (readonly [point: string, found: RegExp])[] = [
  ["URI-BARE-SLASH", /^\/$/],
  ["URI-DOUBLE-SLASH", /\/\//],
  ["URI-DOT-SEGMENTS", /(?:^|\/)\.{1,2}(?:$|[/?#])/],
  ["URI-QUERY", /\?/],
  ["URI-AT-IN-PATH", /@/],
  ["URI-COLON-IN-PATH", /:/],
  ["URI-MALFORMED-PERCENT-ENCODING", /%(?![0-9A-Fa-f]{2})/],
  ["URI-PERCENT-ENCODING", /%[0-9A-Fa-f]{2}/],
  ["URI-TRAILING-SPACE", /\s$/],
  ["URI-WHITE-SPACE", /\s/],
  ["URI-BACK-SLASH-IN-PATH", /\\/],
  ["URI-NON-ASCII", /[^\p{ASCII}]/u],
  ["URI-EMPTY-FRAGMENT", /^[^#]*#$/],
  ["URI-CONTROL-CHARACTERS", /["<>^`{|}[\]]/],
];

/** Faults of a `uri` (contract, "Launch request"); `value` is undefined where the member is missing. */
export function uriFaults(value: unknown, hosts: readonly string[]): readonly RequestFault[] {
  const field = (rule: string) => [certainBy(rule, "CODE-BUILD-URI-FIELD")];
  const shape = (rule: string) => [certainBy(rule, "CODE-BUILD-SHAPE")];
  if (value === undefined) return shape("LAUNCH-24");
  if (typeof value !== "string") return shape("LAUNCH-25");
  if (value === "") return field("LAUNCH-26");
  const faults: RequestFault[] = [];
  const bounds = launchBounds("uri");
  if ([...value].length > bounds.characters) faults.push(...field("LAUNCH-27"));
  else if (Buffer.byteLength(value) > bounds.utf8Bytes) faults.push(...field("LAUNCH-28"));
  // Whoever refuses odd characters as such may do so before looking at scheme and host.
  if (ODD_CHARACTER.test(value)) faults.push(uncertain("URI-CONTROL-CHARACTERS"));
  const scheme = /^https:\/\//i.exec(value)?.[0];
  if (scheme === undefined) return [...faults, form("LAUNCH-29")];
  if (scheme !== "https://") faults.push(uncertain("URI-UPPER-CASE-SCHEME"));
  const [, authority = "", rest = ""] = /^([^/?#\\]*)(.*)$/s.exec(value.slice(scheme.length)) ?? [];
  return [...faults, ...authorityFaults(authority, hosts), ...(authority === "" ? [] : restFaults(rest))];
}

function form(rule: string): RequestFault {
  return certainBy(rule, "CODE-BUILD-URI-FORM");
}

function authorityFaults(authority: string, hosts: readonly string[]): readonly RequestFault[] {
  const faults: RequestFault[] = [];
  const at = authority.lastIndexOf("@");
  if (at >= 0) faults.push(form("LAUNCH-32"));
  const [host = "", ...port] = authority.slice(at + 1).split(":");
  if (port.length > 0) faults.push(form("LAUNCH-33"));
  if (hosts.includes(host)) return faults;
  if (hosts.includes(host.toLowerCase())) return [...faults, uncertain("URI-UPPER-CASE-HOST")];
  const point = PLAIN_HOST.test(host) ? "CODE-BUILD-URI-HOST" : "CODE-BUILD-URI-ODD-HOST";
  return [...faults, certainBy("LAUNCH-30", point)];
}

function restFaults(rest: string): readonly RequestFault[] {
  const faults: RequestFault[] = [];
  if (!rest.startsWith("/")) faults.push(form("LAUNCH-31"));
  if (/#./s.test(rest)) faults.push(form("LAUNCH-34"));
  for (const [point, found] of DOUBTS) {
    if (found.test(rest)) faults.push(uncertain(point));
  }
  return faults;
}
