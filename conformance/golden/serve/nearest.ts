import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../engine/play/exchange.ts";
import { show } from "../../engine/play/judgement.ts";
import { type CanonicalBody, mostBodyBytes, type Received } from "./received.ts";
import type { Place } from "./walks.ts";

/** A way in which a request departs from a recorded one; the weight says how much. */
interface Departure {
  readonly text: string;
  readonly weight: number;
}

/** The recorded exchange that a request comes nearest to, and all that keeps them apart. */
export interface Nearest {
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
