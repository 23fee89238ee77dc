import {
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  type ServiceRequest,
} from "../../adapters/adapter.ts";
import type { SideBySide } from "../contract.ts";
import { wasNotSent } from "../play/breakage.ts";
import type { Line, Purpose } from "../play/line.ts";
import type { Beside } from "../run/beside.ts";
import { Changes } from "../run/changes.ts";

/** What a search is tried on. */
export interface Ground {
  /** A service that is asked when nothing else is under way. */
  readonly connection: Connection;
  /** Several services, where there are, for what may be tried side by side before. */
  readonly ahead?: SideBySide;
}

/**
 * The services that searches share. Where there are several, all searches try ahead side by side, and then each goes on
 * by itself, in the order in which they began; where there is one, each begins when the one before it is over.
 */
export class Grounds {
  readonly #info: ImplementationInfo;
  readonly #connect: () => Promise<Connection>;
  /** The services, each once it was asked for. */
  readonly #services: (Promise<Connection> | undefined)[];
  /** Places of those that nobody uses. */
  readonly #free: number[];
  readonly #queue: ((place: number) => void)[] = [];
  /** Searches that are not over, by the order in which they began, and those of them that still try ahead. */
  readonly #begun = new Set<number>();
  readonly #ahead = new Set<number>();
  #searches = 0;
  readonly #changes = new Changes();
  readonly #beside: Beside | undefined;

  /**
   * @param connect opens a connection to a service of its own
   * @param most how many services there may be
   * @param beside the vectors, on whose services searches try ahead for as long as those are played
   */
  constructor(info: ImplementationInfo, connect: () => Promise<Connection>, most = 1, beside?: Beside) {
    this.#info = info;
    this.#connect = connect;
    this.#beside = beside;
    this.#services = Array.from({ length: most });
    this.#free = [...this.#services.keys()];
  }

  /**
   * Tries a search. What breaks while others are at it, too, may be for what those ask: then it is tried once more by itself.
   * @param broken what the search comes to where the adapter broke
   * @throws {DoneInVain} where it is to be tried anew, when the vectors are through
   */
  async search<Found>(
    attempt: (ground: Ground) => Promise<Found>,
    broken: (fault: AdapterFault) => Found,
  ): Promise<Found> {
    const number = ++this.#searches;
    const several = this.#services.length > 1;
    this.#begun.add(number);
    if (several) this.#ahead.add(number);
    let isAlone = false;
    const turn = async () => {
      this.#ahead.delete(number);
      this.#changes.tell();
      await this.#beside?.over();
      while (this.#ahead.size > 0 || Math.min(...this.#begun) < number) await this.#changes.next();
      isAlone = true;
    };
    const connection = new LineToFirst(this.#info, () => this.#open(0));
    const ahead: SideBySide = {
      use: (play, requests) => (this.#beside?.isOpen ? this.#beside.add(requests, play) : this.use(play)),
      turn,
      crowdsAtOnce: this.#beside !== undefined && this.#info.capabilities.concurrency,
    };
    try {
      if (!several) await turn();
      return await attempt(several ? { connection, ahead } : { connection });
    } catch (error) {
      const fault = asFault(error);
      const again = !isAlone && !wasNotSent(fault);
      await turn();
      await this.close();
      if (!again) return broken(fault);
      return await attempt({ connection }).catch(async (thrown: unknown) => {
        await this.close();
        return broken(asFault(thrown));
      });
    } finally {
      this.#ahead.delete(number);
      this.#begun.delete(number);
      this.#changes.tell();
    }
  }

  /** Ends all connections. Whoever asks after that has new ones. */
  async close(): Promise<void> {
    await Promise.all(this.#services.map((_, place) => this.#end(place)));
  }

  #open(place: number): Promise<Connection> {
    const opening = this.#services[place] ?? this.#connect();
    this.#services[place] = opening;
    return opening;
  }

  async #end(place: number): Promise<void> {
    const opening = this.#services[place];
    this.#services[place] = undefined;
    const connection = await opening?.catch(() => undefined);
    await connection?.close();
  }

  /** Plays something on a service that nobody else asks, once one is free. */
  async use<Found>(play: (lane: Connection) => Promise<Found>): Promise<Found> {
    const place = this.#free.shift() ?? (await new Promise<number>((resolve) => this.#queue.push(resolve)));
    try {
      return await play(await this.#open(place));
    } catch (error) {
      if (error instanceof AdapterFault) await this.#end(place);
      throw error;
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free.push(place);
      else next(place);
    }
  }
}

/** Anything else than a fault of the adapter is the kit's own, and goes up. */
function asFault(error: unknown): AdapterFault {
  if (error instanceof AdapterFault) return error;
  throw error;
}

/** A line to whatever connection is the first when it is asked. */
class LineToFirst implements Line {
  readonly info: ImplementationInfo;
  readonly #first: () => Promise<Line>;

  constructor(info: ImplementationInfo, first: () => Promise<Line>) {
    this.info = info;
    this.#first = first;
  }

  async start(nowMs: number): Promise<void> {
    return (await this.#first()).start(nowMs);
  }

  async handle(request: ServiceRequest, purpose?: Purpose): Promise<unknown> {
    return (await this.#first()).handle(request, purpose);
  }

  async advance(ms: number): Promise<number> {
    return (await this.#first()).advance(ms);
  }

  async bytesToSign(message: string): Promise<Uint8Array> {
    return (await this.#first()).bytesToSign(message);
  }

  async close(): Promise<void> {}
}
