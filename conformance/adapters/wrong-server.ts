/** Checks before a run that a URL leads to the service. */
import { once } from "node:events";
import { type ConnectionOptions, connect } from "node:tls";
import { isObject, parseJson, show } from "../data/json.ts";
import { errorText } from "../data/text.ts";
import { type HttpRequest, type HttpServer, readBytes, send } from "./http-exchange.ts";

const MAX_TEXT = 120;
const HTTP_INSTEAD = "does not speak TLS on this port; write http:// instead of https://";
const HTTPS_INSTEAD = "expects TLS on this port; write https:// instead of http://";

/**
 * Sends a request without side effects to a server. Returns why the server is not the service, and the remedy:
 * it cannot be reached, or its response is not one of the service. If no response arrives, returns undefined,
 * because the tests judge a service that hangs.
 * @param address address of the server, for a TLS handshake
 * @param members names of members, of which each body of the service has at least one
 */
export async function reasonAgainst(
  server: HttpServer,
  message: HttpRequest,
  address: ConnectionOptions,
  members: ReadonlySet<string>,
): Promise<string | undefined> {
  const request = `${message.method} ${message.path}`;
  const isSecure = server.url.protocol === "https:";
  const signal = server.timeoutMs === 0 ? undefined : AbortSignal.timeout(server.timeoutMs);
  try {
    const response = await send(server, message, signal, () => {});
    const text = (await readBytes(response, signal)).toString();
    const { statusCode: status = 0, headers } = response;
    if (!isSecure && status === 400 && /https/i.test(text) && parseJson(text) === undefined)
      return HTTPS_INSTEAD;
    if (status >= 300 && status < 400) {
      const target = show(headers.location ?? "no URL");
      return `redirects ${request} to ${target} (status ${status}); name the URL of the service itself, ${FORCE}`;
    }
    const body = parseJson(text);
    if (isObject(body) && Object.keys(body).some((name) => members.has(name))) return undefined;
    const kind =
      body !== undefined ? "" : /^\s*<(?:!doctype|html)/i.test(text) ? "HTML, " : "text that is not JSON, ";
    const came = `status ${status} and ${kind}${show(body ?? text, MAX_TEXT)}`;
    return `answers ${request} with ${came}, which is not a response of the service; check the URL, ${FORCE}`;
  } catch (thrown) {
    const code = String((thrown as { readonly code?: unknown }).code ?? "");
    if (code === "EPROTO" || code.startsWith("ERR_SSL")) return HTTP_INSTEAD;
    if (!isSecure && (await speaksTls(address))) return HTTPS_INSTEAD;
    if (code.startsWith("HPE_")) return `does not speak HTTP on this port; check the port, ${FORCE}`;
    if (CERTIFICATE.test(code))
      return `has a certificate that is not accepted: ${errorText(thrown)}; ${CERTIFICATE_ADVICE}`;
    // A response that does not arrive, or does not end, can be a fault of the service. The tests show it.
    const isConnected = signal?.aborted === true || /^(?:ECONNRESET|EPIPE)?$/.test(code);
    return isConnected ? undefined : `cannot be reached: ${errorText(thrown)}`;
  }
}

const FORCE = "or add --force to test it anyway";
/** Codes of errors of Node and OpenSSL about the certificate of a server. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/;
const CERTIFICATE_ADVICE = "name a file with the certificate of its issuer in NODE_EXTRA_CA_CERTS";
const HANDSHAKE_MS = 1_000;

/** Returns whether a server answers a TLS handshake, if only with an alert. */
async function speaksTls(address: ConnectionOptions): Promise<boolean> {
  const socket = connect({ ...address, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(HANDSHAKE_MS) });
    return true;
  } catch (thrown) {
    return /ALERT/.test((thrown as { readonly code?: string }).code ?? "");
  } finally {
    socket.on("error", () => {}).destroy();
  }
}
