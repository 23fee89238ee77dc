import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { requestFields } from "../../contract/request-fields.ts";
import { isObject } from "../../engine/play/exchange.ts";
import { show } from "../../engine/play/judgement.ts";
import type { ExchangeStep, Fixture, GoldenRequest } from "../fixture.ts";

/** More bytes than this are refused by their number, whatever they say (contract, "Limits"). */
function mostBodyBytes(): number {
  return requestFields("build").mostBytes;
}

/** A body without what spelling adds: its JSON value, or what it is where it is no JSON; and whether it is too large. */
interface CanonicalBody {
  readonly kind: "none" | "json" | "text" | "bytes";
  readonly value: unknown;
  readonly tooLarge: boolean;
}

/** A request as far as fixtures are chosen by it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: CanonicalBody;
}

/** The canonical form of a recorded request. */
function canonicalRequest({
  method,
  path,
  bearer,
  idempotencyKey,
  body,
  bodyBase64,
}: GoldenRequest): Received {
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? "") : Buffer.from(bodyBase64, "base64");
  return { method, path, bearer, idempotencyKey, body: canonicalBody(bytes) };
}

/** The canonical form of a body's bytes; none where there are none. */
export function canonicalBody(bytes: Buffer): CanonicalBody {
  const tooLarge = bytes.length > mostBodyBytes();
  if (bytes.length === 0) return { kind: "none", value: undefined, tooLarge };
  if (!isUtf8(bytes)) return { kind: "bytes", value: bytes.toString("base64"), tooLarge };
  const text = bytes.toString();
  try {
    return { kind: "json", value: JSON.parse(text), tooLarge };
  } catch {
    return { kind: "text", value: text, tooLarge };
  }
}

/** Whether two requests are the same to the last header and value. */
function sameRequest(a: Received, b: Received): boolean {
  return isDeepStrictEqual(a, b);
}

/** A recorded exchange and where it stands. */
export interface Place {
  readonly fixture: Fixture;
  readonly step: ExchangeStep;
  readonly request: Received;
  /** How often the clock was moved, or the service restarted, before it: since the fixture began, and since the last exchange. */
  readonly moves: { readonly inAll: number; readonly justBefore: number };
  /** The exchange after it. */
  readonly next: Place | undefined;
}

/** What a client asks for by a header of its own. */
export interface Wanted {
  readonly name: string;
  readonly step?: number;
}

/**
 * Finds the recorded exchange that answers a request. The same request stands in many fixtures, and may have other
 * answers there, for what came before: so every fixture that agrees with all that was answered so far stays a
 * candidate, and the one in which the clock was moved least answers. Where no candidate goes on with the request, all
 * fixtures are candidates again.
 */
export class Walks {
  readonly places: readonly Place[];
  #next: readonly Place[] = [];

  constructor(fixtures: readonly Fixture[]) {
    this.places = fixtures.flatMap(placesOf);
  }

  /** The exchanges that would follow on what was answered so far. */
  get expected(): readonly Place[] {
    return this.#next;
  }

  /** The exchange that answers, or undefined where no fixture has the request. */
  take(received: Received, wanted: Wanted | undefined): Place | undefined {
    const fits = ({ fixture, step, request }: Place) =>
      sameRequest(request, received) &&
      (wanted === undefined || (wanted.name === fixture.name && (wanted.step ?? step.step) === step.step));
    const going = inOrder(this.#next.filter(fits), ({ moves }) => moves.justBefore);
    const found = going.length > 0 ? going : inOrder(this.places.filter(fits), ({ moves }) => moves.inAll);
    const [first] = found;
    if (first === undefined) return undefined;
    const agreeing = found.filter(({ step }) => isDeepStrictEqual(step.response, first.step.response));
    this.#next = agreeing.flatMap(({ next }) => next ?? []);
    return first;
  }
}

/** By the number, and otherwise as they stand. */
function inOrder(places: readonly Place[], number: (place: Place) => number): readonly Place[] {
  return [...places].sort((a, b) => number(a) - number(b));
}

function placesOf(fixture: Fixture): readonly Place[] {
  const places: Place[] = [];
  let next: Place | undefined;
  for (const [index, step] of [...fixture.steps.entries()].reverse()) {
    if (step.kind !== "exchange") continue;
    const before = fixture.steps.slice(0, index);
    const last = before.findLastIndex(({ kind }) => kind === "exchange");
    const inAll = before.filter(({ kind }) => kind !== "exchange").length;
    const moves = { inAll, justBefore: index - last - 1 };
    next = { fixture, step, request: canonicalRequest(step.request), moves, next };
    places.unshift(next);
  }
  return places;
}

/** A way in which a request departs from a recorded one; the weight says how much. */
interface Departure {
  readonly text: string;
  readonly weight: number;
}

/** The recorded exchange that a request comes nearest to, and all that keeps them apart. */
interface Nearest {
  readonly place: Place;
  readonly differences: readonly string[];
}

/** The nearest of several exchanges; of equally near ones the first. Undefined where there are none. */
export function nearest(received: Received, places: readonly Place[]): Nearest | undefined {
  let best:
    | { readonly place: Place; readonly found: readonly Departure[]; readonly weight: number }
    | undefined;
  for (const place of places) {
    const found = departures(received, place.request);
    const weight = found.reduce((sum, one) => sum + one.weight, 0);
    if (best === undefined || weight < best.weight) best = { place, found, weight };
  }
  return best === undefined
    ? undefined
    : { place: best.place, differences: best.found.map(({ text }) => text) };
}

function departures(sent: Received, recorded: Received): readonly Departure[] {
  return [
    ...departure("path", sent.path, recorded.path, 16),
    ...departure("method", sent.method, recorded.method, 8),
    ...departure("Authorization: Bearer", sent.bearer, recorded.bearer, 2),
    ...departure("Idempotency-Key", sent.idempotencyKey, recorded.idempotencyKey, 1),
    ...bodyDepartures(sent.body, recorded.body),
  ];
}

function departure(what: string, sent: unknown, recorded: unknown, weight: number): readonly Departure[] {
  if (isDeepStrictEqual(sent, recorded)) return [];
  return [{ text: `${what}: ${shown("sent", sent)}, ${shown("the fixture has", recorded)}`, weight }];
}

function bodyDepartures(sent: CanonicalBody, recorded: CanonicalBody): readonly Departure[] {
  const size = (body: CanonicalBody) =>
    body.tooLarge ? `more than ${mostBodyBytes()} bytes` : `${mostBodyBytes()} bytes or fewer`;
  const sizes =
    sent.tooLarge === recorded.tooLarge
      ? []
      : [{ text: `body: sent ${size(sent)}, the fixture has ${size(recorded)}`, weight: 4 }];
  const [a, b] = [sent.value, recorded.value];
  if (!isObject(a) || !isObject(b))
    return [...sizes, ...departure("body", described(sent), described(recorded), 4)];
  const names = new Set([...Object.keys(b), ...Object.keys(a)]);
  return [...sizes, ...[...names].flatMap((name) => departure(`body.${name}`, a[name], b[name], 1))];
}

function described({ kind, value }: CanonicalBody): unknown {
  return kind === "json" || kind === "none" ? value : `${kind} that is no JSON: ${String(value)}`;
}

function shown(verb: string, value: unknown): string {
  return value === undefined ? `${verb} none` : `${verb} ${show(value, 120)}`;
}
