import { isDeepStrictEqual } from "node:util";
import type { ExchangeStep, Fixture } from "../fixture.ts";
import { canonicalRequest, type Received, sameRequest } from "./received.ts";

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
