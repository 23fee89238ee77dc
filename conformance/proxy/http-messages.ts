import type { Fields } from "../engine/audit/recorded.ts";

/** A header as it was sent, its name's letters included; one that is sent twice stands twice. */
export type Header = Fields[number];

/** Headers of one connection, which an intermediary must not pass on (RFC 9110, section 7.6.1). */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** The headers of a message in pairs, of names and values that follow one another. */
export function headerPairs(raw: readonly string[]): Fields {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  return pairs;
}

/** The headers that go on to the other side, in their order: without those of the connection, and those that it names. */
export function endToEnd(headers: Fields): Fields {
  const named = new Set(valuesOf(headers, "connection").flatMap((value) => value.split(",").map(lower)));
  return headers.filter(([name]) => {
    const known = lower(name);
    return !OF_THE_CONNECTION.has(known) && !named.has(known);
  });
}

/** All values of a header, in their order. @param name in lower case */
export function valuesOf(headers: Fields, name: string): readonly string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Whether a message says that its connection ends with it (RFC 9112, section 9.3). */
export function endsConnection(headers: Fields, httpVersion: string): boolean {
  const options = valuesOf(headers, "connection").flatMap((value) => value.split(",").map(lower));
  if (options.includes("close")) return true;
  return httpVersion === "1.0" && !options.includes("keep-alive");
}

function lower(text: string): string {
  return text.trim().toLowerCase();
}

/** Keeps what passes of a body, up to so many bytes, and counts the rest. */
export class KeptBody {
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that passed. */
  get bytes(): number {
    return this.#bytes;
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const room = this.#most - this.#kept;
    if (room <= 0) return;
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** What was kept, in an array of its own: what passed lies in large buffers of the connection, which it would hold. */
  whole(): Uint8Array {
    const whole = new Uint8Array(this.#kept);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    return whole;
  }
}

/** The name by which the proxy speaks for itself (RFC 9209, section 2). */
const PROXY = "launch-draft-conformance";

/** What is answered in place of a service that cannot be reached. */
interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Why a service is not reached, as `Proxy-Status` has it (RFC 9209, section 2.3). */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection_refused",
  ENOTFOUND: "dns_error",
  EAI_AGAIN: "dns_error",
  ETIMEDOUT: "connection_timeout",
  EHOSTUNREACH: "destination_ip_unroutable",
  ENETUNREACH: "destination_ip_unroutable",
};

/** What a client is told where the service cannot be reached: in words, and in a header that no service sends. */
export function unreachable(origin: string, code: string, reason: string): OwnAnswer {
  const type = ERROR_TYPES[code] ?? (isOfTls(code) ? "tls_certificate_error" : "destination_unavailable");
  const body = `${PROXY} proxy: ${origin} cannot be reached: ${reason}\n`;
  return {
    status: 502,
    headers: [
      ...["content-type", "text/plain; charset=utf-8"],
      ...["content-length", String(Buffer.byteLength(body))],
      ...["proxy-status", `${PROXY}; error=${type}`],
    ],
    body,
  };
}

/** What a client is told that sent what is no HTTP, and so is nothing that could be passed on; as bytes of an answer. */
export function notHttp(): string {
  const body = `${PROXY} proxy: what was sent is no HTTP/1.1 request\n`;
  return [
    "HTTP/1.1 400 Bad Request",
    "connection: close",
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `proxy-status: ${PROXY}; error=http_request_error`,
    "",
    body,
  ].join("\r\n");
}

function isOfTls(code: string): boolean {
  return /CERT|TLS|SSL|SIGNATURE|VERIFY/.test(code);
}
