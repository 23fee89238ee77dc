/** Faults in the fields of a build (contract, "Launch request"). */
import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES, MAX_URI_BYTES } from "../contract/constants.ts";
import { BUILD_CODES, URI_CODES } from "../contract/refusals.ts";
import type { StatedFacts } from "./event.ts";
import { certainly, type Fault, possibly } from "./fault.ts";
import { isUsualKey, keyFault } from "./public-key.ts";

/** Characters that every conforming service accepts in a name or symbol. */
const COMMON_TEXT = /^[\p{L}\p{N}\p{P}\p{Sc}\p{Sm} ]+$/u;

/** Facts about a service, and about its response to a request. */
export interface Known {
  readonly facts: StatedFacts;
  /** Addresses of the platform. A service may refuse them as a creator or mint. */
  readonly reserved: ReadonlySet<string>;
  /** Whether the service accepted the request. If so, only faults that are `certain` matter. */
  readonly isAccepted: boolean;
}

/** @param text function that returns the value of a field, or undefined if it is not a string */
export function launchFaults(text: (name: string) => string | undefined, known: Known): readonly Fault[] {
  const { operatorKey, metadataHosts = [] } = known.facts;
  const [creator, mint] = [text("creator"), text("mint")];
  const codes = [...BUILD_CODES, "INVALID_CREATOR"];
  const isTaken = (address: string | undefined, name: string) =>
    mint !== undefined && mint === address ? certainly(`mint is ${name}`, codes) : [];
  return [
    ...addressFaults(creator, "creator", codes, { ...known, reserved: new Set() }),
    // If the operator key is unknown, any mint may be the operator key.
    ...addressFaults(mint, "mint", codes, known, operatorKey === undefined),
    ...isTaken(creator, "creator"),
    ...isTaken(operatorKey, "operator key"),
    ...textFaults(text("name"), "name", MAX_NAME_BYTES),
    ...textFaults(text("symbol"), "symbol", MAX_SYMBOL_BYTES),
    ...uriFaults(text("uri"), metadataHosts),
  ];
}

/**
 * @param name name of the field
 * @param mayRefuse whether a conforming service may refuse any address in this field
 */
export function addressFaults(
  address: string | undefined,
  name: string,
  codes: readonly string[],
  { reserved, isAccepted }: Known,
  mayRefuse = false,
): readonly Fault[] {
  if (address === undefined) return [];
  const fault = keyFault(address);
  if (fault !== undefined) return certainly(`${fault} of ${name}`, codes);
  const isUsual = isAccepted || (!mayRefuse && !reserved.has(address) && isUsualKey(address));
  return isUsual ? [] : possibly(`unusual ${name}`, codes);
}

function textFaults(text: string | undefined, name: string, maxBytes: number): readonly Fault[] {
  if (text === undefined) return [];
  const isCommon = text === "" || (COMMON_TEXT.test(text) && text === text.trim());
  const unusual = isCommon ? [] : possibly(`unusual ${name}`, [...BUILD_CODES, "INVALID_JSON_BODY"]);
  return [...sizeFaults(text, name, maxBytes, BUILD_CODES), ...unusual];
}

function sizeFaults(
  text: string,
  name: string,
  maxBytes: number,
  codes: readonly string[],
): readonly Fault[] {
  if (text === "") return certainly(`empty ${name}`, codes);
  if (Buffer.byteLength(text) <= maxBytes) return [];
  return certainly([...text].length > maxBytes ? `long ${name}` : `bytes of ${name}`, codes);
}

const URI_OF_UNKNOWN_HOST = /^https:\/\/[a-z0-9.-]+\/[^#]*#?$/i;
const URI_WITH_PATH = /^https:\/\/([^/?#\\]*)(\/.*)$/s;
const URI_WITH_HOST_IN_ANY_CASE = /^https:\/\/([^/?#\\]*)/i;
const HOST_WITHOUT_PATH = /^https:\/\/[^/]*(?:[?#\\]|$)/;
const COMMON_PATH = /^\/(?:[\w.-]+\/)*[\w.-]+$/;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
const FRAGMENT = /#./s;
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "i");
const PUNYCODE = /xn--/i;

/** @param hosts metadata gateway hosts; empty if unknown */
function uriFaults(uri: string | undefined, hosts: readonly string[]): readonly Fault[] {
  if (uri === undefined) return [];
  const codes = [...BUILD_CODES, ...URI_CODES];
  const unusual = possibly("unusual uri", codes);
  const size = sizeFaults(uri, "uri", MAX_URI_BYTES, codes);
  if (size.length > 0) return size;
  if (hosts.length === 0) return [{ name: "host of uri", codes, certain: !URI_OF_UNKNOWN_HOST.test(uri) }];
  const [, authority = "", path = ""] = URI_WITH_PATH.exec(uri) ?? [];
  const isCommonPath = COMMON_PATH.test(path) && !DOT_SEGMENT.test(path);
  if (hosts.includes(authority)) {
    if (FRAGMENT.test(path)) return certainly("fragment of uri", codes);
    return isCommonPath ? [] : unusual;
  }
  const host = URI_WITH_HOST_IN_ANY_CASE.exec(uri)?.[1]?.toLowerCase();
  if (host !== undefined && hosts.includes(host) && !HOST_WITHOUT_PATH.test(uri)) return unusual;
  const isCommonHost = HOST_NAME.test(authority) && !PUNYCODE.test(authority);
  return certainly(uriFaultName(uri), isCommonHost && isCommonPath ? URI_CODES : codes);
}

/** Returns the name of the fault of an invalid URI. */
function uriFaultName(uri: string): string {
  if (!/^https:\/\//i.test(uri)) return "scheme of uri";
  if (HOST_WITHOUT_PATH.test(uri)) return "slash of uri";
  const authority = URI_WITH_HOST_IN_ANY_CASE.exec(uri)?.[1] ?? "";
  if (authority.includes("@")) return "credentials of uri";
  return authority.includes(":") ? "port of uri" : "host of uri";
}
