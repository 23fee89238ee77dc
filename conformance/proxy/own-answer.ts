/** The name by which the proxy speaks for itself (RFC 9209, section 2). */
const PROXY = "launch-draft-conformance";

/** What is answered in place of a service that cannot be reached. */
export interface OwnAnswer {
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
