import { readFileSync, statSync } from "node:fs";
import { AdapterFault } from "./adapter.ts";
import { isLoopback } from "./is-loopback.ts";
import { oneLine, thrownLine } from "./one-line.ts";

/** Bytes that a file of certificates may have: all that a system trusts is a quarter of it. */
const MOST_BYTES = 1024 * 1024;

/** Where a service is on the network. */
export interface HttpTarget {
  readonly origin: string;
  /** Path before the contract's own, without a slash at its end; empty at the root. */
  readonly basePath: string;
  readonly loopback: boolean;
}

/** Which server certificates are trusted beside those of the system. */
export interface TlsOptions {
  /** A file of certificates (PEM) to trust instead of the system's. */
  readonly caFile?: string;
  /** Trust any certificate of a loopback address. */
  readonly allowSelfSigned?: boolean;
}

/**
 * Reads a base URL.
 *
 * @param text `http:` or `https:`, perhaps with a path, without credentials, query and fragment
 * @throws {AdapterFault} fatal, with one line on what is wrong
 */
export function httpTarget(text: string): HttpTarget {
  const fault = (why: string) => new AdapterFault(`URL ${oneLine(text)}: ${why}`, { fatal: true });
  if (!URL.canParse(text)) throw fault("not a URL; expected one such as http://127.0.0.1:8080");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw fault("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") throw fault("must not carry credentials");
  if (url.search !== "" || url.hash !== "") throw fault("must not carry a query or a fragment");
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ""),
    loopback: isLoopback(url.hostname),
  };
}

/**
 * The TLS settings for connections to `targets`.
 *
 * @throws {AdapterFault} fatal, where the file cannot be read or any certificate is to be trusted on another machine
 */
export function tlsSettings(
  { caFile, allowSelfSigned = false }: TlsOptions,
  targets: readonly HttpTarget[],
): { readonly ca?: string; readonly rejectUnauthorized: boolean } {
  const remote = targets.find((target) => !target.loopback);
  if (allowSelfSigned && remote !== undefined) {
    const message = `${remote.origin}: any certificate is trusted on this machine only; name a file of certificates instead`;
    throw new AdapterFault(message, { fatal: true });
  }
  if (caFile === undefined) return { rejectUnauthorized: !allowSelfSigned };
  try {
    const stats = statSync(caFile);
    if (!stats.isFile()) throw new Error(`${caFile} is not a regular file`);
    if (stats.size > MOST_BYTES) throw new Error(`${caFile} is larger than certificates are`);
    return { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: !allowSelfSigned };
  } catch (thrown) {
    throw new AdapterFault(`certificates: ${thrownLine(thrown)}`, { fatal: true });
  }
}
