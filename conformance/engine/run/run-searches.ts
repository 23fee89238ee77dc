import type { Connection, ImplementationInfo } from "../../adapters/adapter.ts";
import type { Result } from "../play/result.ts";
import { Grounds } from "../search/grounds.ts";
import { type Activity, requestsOf, type TimeFacts } from "./activity.ts";
import { Beside, DoneInVain } from "./beside.ts";
import { type SearchShare, searchShare } from "./search-share.ts";
import {
  reduced,
  type SearchAmount,
  type Searching,
  type SearchWork,
  searchAtRandom,
  searchExhaustively,
} from "./searching.ts";

/** So many requests to each service, while others are asked, show how fast services answer side by side. */
const REQUESTS_OF_LANE = 5;

/** What the searches of a run are done with. */
export interface SearchesGiven extends Omit<Searching, "grounds"> {
  readonly amount: SearchAmount;
  readonly work: SearchWork;
  readonly info: ImplementationInfo;
  readonly activity: Activity;
  /** What the first requests took, one after the other. */
  readonly asked: TimeFacts;
  /** See `RunOptions`; undefined where all of them are to be tried however long that takes. */
  readonly searchRequests: number | undefined;
  /** Opens a connection to a service of its own. */
  readonly connect: () => Promise<Connection>;
}

/** What came of the searches. */
export interface Searched {
  /** How much was searched. */
  readonly amount: SearchAmount;
  /** What was left out, where the implementation is slow. */
  readonly slow?: SearchShare;
  readonly properties: readonly Result[];
  readonly every?: Awaited<ReturnType<typeof searchExhaustively>>;
}

/** Searches when the vectors are through. @param lanes how many services are good for side by side */
export function searchAfter(given: SearchesGiven, lanes: number): Promise<Searched> {
  const { activity, asked, connect, info } = given;
  const share = shareOf(given, lanes > 1 ? { before: asked, after: activity.facts() } : undefined);
  return search(given, share, new Grounds(info, connect, lanes));
}

/**
 * Searches beside the vectors, on the same services, for as long as they are played; what is to be asked when nothing else
 * is under way comes after them. Where each request takes long, the run then takes no longer than what it waits for.
 */
export class SearchesBeside {
  readonly beside: Beside;
  readonly #given: SearchesGiven;
  /** Results that came: not told before it is known that they count. */
  readonly #results: Result[] = [];
  #searching: Promise<Searched> | undefined;

  /** @param lanes how many services there are */
  constructor(given: SearchesGiven, lanes: number) {
    this.#given = given;
    const { activity, connect, info, watch } = given;
    const held = { stopped: watch.stopped, onResult: (result: Result) => void this.#results.push(result) };
    this.beside = new Beside(
      () => activity.facts(),
      (before) => {
        const share = shareOf(given, { before, after: activity.facts() });
        const grounds = new Grounds(info, connect, lanes, this.beside);
        this.#searching = search({ ...given, watch: held }, share, grounds);
        // Whoever asks for the outcome hears of it.
        this.#searching.catch(() => undefined);
      },
      REQUESTS_OF_LANE * lanes,
    );
  }

  /** What came of the searches; undefined where they are to be done anew, when nothing else is under way. */
  async outcome(): Promise<Searched | undefined> {
    try {
      const searched = await this.#searching;
      if (searched !== undefined) for (const result of this.#results) this.#given.watch.onResult(result);
      return searched;
    } catch (error) {
      if (error instanceof DoneInVain) return undefined;
      throw error;
    }
  }
}

async function search(
  given: SearchesGiven,
  slow: SearchShare | undefined,
  grounds: Grounds,
): Promise<Searched> {
  const { work } = given;
  const amount = slow === undefined ? given.amount : { ...given.amount, ...reduced(given.amount, slow) };
  const searching = { ...given, grounds };
  const [properties, every] = await Promise.all([
    searchAtRandom(amount, work, searching),
    searchExhaustively(amount, work, searching),
  ]);
  await grounds.close();
  return {
    amount,
    properties,
    ...(slow === undefined ? {} : { slow }),
    ...(every === undefined ? {} : { every }),
  };
}

/**
 * How much of the searches there is time for.
 * @param sideBySide what the time had gone on before and after services were asked side by side, if they were
 */
function shareOf(
  { asked, searchRequests }: SearchesGiven,
  sideBySide: { readonly before: TimeFacts; readonly after: TimeFacts } | undefined,
): SearchShare | undefined {
  if (searchRequests === undefined) return undefined;
  if (sideBySide === undefined) return searchShare(asked.operations, searchRequests);
  const { before, after } = sideBySide;
  const requests = requestsOf(after) - requestsOf(before);
  const sideBySideMs = requests === 0 ? undefined : (after.serviceMs - before.serviceMs) / requests;
  return searchShare(asked.operations, searchRequests, sideBySideMs);
}
