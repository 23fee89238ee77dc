import type { HttpForm } from "../../legacy/golden/fixture.ts";
import { type HttpDescription, type Node, segment } from "./http-description.ts";

type HttpRequest = HttpForm["request"];

/** From a request body or a response to the schema of its JSON. */
const JSON_SCHEMA = "/content/application~1json/schema";

/** What is answered on routes that the document, like the contract, has no path for. */
const ABSENT_ROUTES = "/paths/~1v1~1launch~1{action}/post/responses";

/**
 * Where an exchange departs from the description. A response always has to fit; a request has to where it was
 * answered 200, since any other may be at fault on purpose. What the document has no path for is held to its answer
 * for routes that do not exist.
 */
export function departures(description: HttpDescription, { request, response }: HttpForm): readonly string[] {
  const operation = operationAt(description, request.method, request.path);
  const responses = operation === undefined ? ABSENT_ROUTES : `${operation}/responses`;
  const described = description.at(`${responses}/${response.status}`);
  if (described === undefined) return [`status ${response.status} is not described`];
  const faults = description
    .faults(`${described.pointer}${JSON_SCHEMA}`, JSON.parse(response.body))
    .map((fault) => `response: ${fault}`);
  if (operation === undefined || response.status !== 200) return faults;
  return [...faults, ...requestFaults(description, operation, request)];
}

/** Pointer of the operation for a method and a path; plain paths go before templates (OpenAPI 3.1.0, "Paths Object"). */
function operationAt(description: HttpDescription, method: string, path: string): string | undefined {
  const names = Object.keys(description.at("/paths")?.node ?? {});
  const name = names.find((plain) => plain === path) ?? names.find((template) => fits(template, path));
  const pointer = `/paths/${segment(name ?? "")}/${method.toLowerCase()}`;
  return description.at(pointer) === undefined ? undefined : pointer;
}

function fits(template: string, path: string): boolean {
  const expected = template.split("/");
  const segments = path.split("/");
  const fit = (name: string, index: number) => name === segments[index] || /^\{.+\}$/.test(name);
  return expected.length === segments.length && expected.every(fit);
}

function requestFaults(
  description: HttpDescription,
  operation: string,
  request: HttpRequest,
): readonly string[] {
  return [
    ...bodyFaults(description, operation, request),
    ...headerFaults(description, operation, request),
    ...securityFaults(description, operation, request),
  ].map((fault) => `request: ${fault}`);
}

function bodyFaults(
  description: HttpDescription,
  operation: string,
  request: HttpRequest,
): readonly string[] {
  const described = description.at(`${operation}/requestBody`);
  const { body } = request;
  if (described === undefined) return body === undefined ? [] : ["a body, where none is described"];
  if (body === undefined) return ["no body of text"];
  const mediaType = headerOf(request, "Content-Type");
  if (mediaType !== "application/json") return [`Content-Type: ${mediaType}, not application/json`];
  const size = Buffer.byteLength(body);
  const limit = described.node["x-max-bytes"] as number;
  if (size > limit) return [`a body of ${size} bytes, more than ${limit}`];
  return description.faults(`${described.pointer}${JSON_SCHEMA}`, JSON.parse(body));
}

function headerFaults(
  description: HttpDescription,
  operation: string,
  request: HttpRequest,
): readonly string[] {
  const parameters = (description.at(`${operation}/parameters`)?.node ?? []) as readonly Node[];
  return parameters.flatMap(({ name, in: place }, index) => {
    if (place !== "header") return [];
    const value = headerOf(request, String(name));
    if (value === undefined) return [`no ${name}`];
    const faults = description.faults(`${operation}/parameters/${index}/schema`, value);
    return faults.map((fault) => `${name}: ${fault}`);
  });
}

function securityFaults(
  description: HttpDescription,
  operation: string,
  request: HttpRequest,
): readonly string[] {
  const schemes = (description.at(`${operation}/security`)?.node ?? []) as readonly Node[];
  const needed = schemes.length > 0;
  const given = /^Bearer .+$/.test(headerOf(request, "Authorization") ?? "");
  if (needed === given) return [];
  return [needed ? "no bearer" : "a bearer, where none is described"];
}

function headerOf({ headers }: HttpRequest, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value;
}
