import { HANDINGS, type Handing, type ServiceRequest } from "../../adapters/adapter.ts";
import { jsonBody, text } from "../../engine/play/json-body.ts";
import { BadStep } from "../../engine/play/step-ends.ts";
import type { Fields, Template } from "../../engine/vectors/vector.ts";
import { type OperationName, ROUTES } from "../operations.ts";
import { ownText } from "../own-texts.ts";

/** What a vector's `build` asks for where it does not say otherwise, in the letters of the run. */
export const DEMO_COIN = { name: "Demo Coin", symbol: "DEMO", file: "demo-coin.json" } as const;

type Members = Readonly<Record<string, Template>>;

/** What goes beside the body of a request. */
export interface Credentials {
  readonly bearer?: string;
  readonly key?: string;
}

/**
 * The request of a step: the valid one that its verb stands for, and what the vector changes in it.
 * @param verb an operation; without one, the fields name method and path
 * @param members of the body, in the order of the contract
 * @param fields of the step, filled in
 * @throws {BadStep} for fields that no request can have
 */
export function operationRequest(
  verb: OperationName | undefined,
  members: Members | undefined,
  fields: Fields,
  credentials: Credentials = {},
): ServiceRequest {
  const route = verb === undefined ? undefined : ROUTES[verb];
  const content = jsonBody(members, fields);
  const { authorization, chunked, handed } = fields;
  // A header of its own stands in the place of the one that a session would give.
  const bearer = authorization === undefined ? textOrNone(fields, "bearer", credentials.bearer) : undefined;
  const idempotencyKey = textOrNone(fields, "key", credentials.key);
  return {
    method: text(fields["method"] ?? route?.method, "method"),
    path: text(fields["path"] ?? route?.path, "path"),
    ...(content === undefined ? {} : { body: content }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(authorization === undefined ? {} : { authorization: text(authorization, "authorization") }),
    ...(chunked === true ? { chunked } : {}),
    ...(handed === undefined ? {} : { handed: handingOf(handed) }),
  };
}

function handingOf(value: Template): Handing {
  const handing = HANDINGS.find((known) => known === value);
  if (handing === undefined) throw new BadStep(`a call is handed over as one of ${HANDINGS.join(", ")}`);
  return handing;
}

/** `null` in a vector stands for "none". */
function textOrNone(fields: Fields, name: string, usual: string | undefined): string | undefined {
  const value = fields[name];
  if (value === null) return undefined;
  return value === undefined ? usual : text(value, name);
}

/** The body of a valid challenge request, in the order of the contract. */
export function challengeMembers(creator: string, termsHash: unknown): Members {
  return { creator, termsHash: (termsHash ?? null) as Template };
}

/** The body of a valid verify request, in the order of the contract. */
export function verifyMembers(id: unknown, signatureBase64: string): Members {
  return { id: (id ?? null) as Template, signatureBase64 };
}

/**
 * The five fields of a valid launch request, in the order of the contract.
 * @param label what the labels of the run's people begin with: its texts come of it
 */
export function launchMembers(creator: string, mint: string, host: string, label: string): Members {
  const { name, symbol, file } = DEMO_COIN;
  const uri = `https://${host}/${ownText(file, label)}`;
  return { creator, mint, name: ownText(name, label), symbol: ownText(symbol, label), uri };
}
