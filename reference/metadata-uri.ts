import { Refusal } from "./errors.ts";
import { METADATA_HOSTS } from "./profile.ts";

/** Scheme, authority and the rest from the first slash on. What ends an authority: RFC 3986, 3.2, and the back slash of browsers. */
const PARTS = /^https:\/\/([^/?#\\]*)(\/.*)$/s;

/** Printable ASCII without the fragment mark and the back slash. */
const PATH_AND_QUERY = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/**
 * Checks that a metadata address is literally `https://`, one of the two hosts in lower case, and `/` (contract,
 * "Launch request"). It is compared as text and never handed to a URL parser, which would mend what it should refuse.
 * What may follow is our choice: any printable ASCII, queries included, but no `#` and no back slash.
 * @throws {Refusal} METADATA_HOST for another host, METADATA_URL for any other fault
 */
export function checkMetadataUri(uri: string): void {
  const [, authority, rest] = PARTS.exec(uri) ?? [];
  if (authority === undefined || rest === undefined) throw new Refusal("METADATA_URL");
  if (/[@:]/.test(authority)) throw new Refusal("METADATA_URL");
  if (!METADATA_HOSTS.some((host) => host === authority)) throw new Refusal("METADATA_HOST");
  if (!PATH_AND_QUERY.test(rest)) throw new Refusal("METADATA_URL");
}
