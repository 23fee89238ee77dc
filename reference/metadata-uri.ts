import { Refusal } from "./errors.ts";
import { METADATA_HOSTS } from "./profile.ts";

/** Scheme, authority (RFC 3986, section 3.2), and the rest. A backslash ends an authority, as in browsers. */
const PARTS = /^https:\/\/([^/?#\\]*)(\/.*)$/s;

/** Printable ASCII without `#` and backslash. */
const PATH_AND_QUERY = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/**
 * Checks that a metadata URI starts with `https://`, one of the two hosts in lower case, and `/` (contract,
 * "Launch request"). Compares text, because a URL parser would correct faults. The rest can be any printable
 * ASCII without `#` and backslash (implementation-defined).
 * @throws {Refusal} METADATA_HOST for another host, METADATA_URL for any other fault
 */
export function checkMetadataUri(uri: string): void {
  const [, authority, rest] = PARTS.exec(uri) ?? [];
  if (authority === undefined || rest === undefined) throw new Refusal("METADATA_URL");
  if (/[@:]/.test(authority)) throw new Refusal("METADATA_URL");
  if (!METADATA_HOSTS.some((host) => host === authority)) throw new Refusal("METADATA_HOST");
  if (!PATH_AND_QUERY.test(rest)) throw new Refusal("METADATA_URL");
}
