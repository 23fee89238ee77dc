import {
  type Adapter,
  AdapterFault,
  type Connection,
  type Late,
  MissingAnswer,
  NoAnswer,
  type ServedContract,
  type ServiceRequest,
} from "../../adapters/adapter.ts";
import type { Contract } from "../contract.ts";
import { GivenUp, ServiceFault } from "../play/breakage.ts";
import type { Line, Purpose } from "../play/line.ts";
import type { RequestKind } from "../play/request-kind.ts";
import type { Activity } from "./activity.ts";

/** A service that is well answers the plainest request within this, in ms, whatever else it is at. */
const PROMPT_MS = 1_000;
/** A server that was ended by a request may be up again after this, in ms. */
const REVIVAL_MS = 1_000;

/** What watching has to know of the contract. */
export type WatchedContract = Pick<Contract, "operations" | "identity">;

/** What a call is made for: all but where in its file a step stands. */
type Call = Pick<Purpose, "operation" | "id" | "step">;

/** Asks for what the service is known by. @throws {AdapterFault} */
type Greet = (connection: Connection) => Promise<unknown>;

/** Opens watched connections. */
interface WatchedAdapter extends Adapter {
  /** How it is found out whether the service answers at all: whoever judges answers puts in a way to do so. */
  greet: Greet;
  connect(served: ServedContract): Promise<WatchedConnection>;
}

/** An adapter, watched: what it does comes by the run's activity, and what is not answered is looked into. */
export function watchedAdapter(
  adapter: Adapter,
  contract: WatchedContract,
  activity: Activity,
): WatchedAdapter {
  const unanswered = new Unanswered();
  const traffics = new WeakMap<object, Traffic>();
  const watched: WatchedAdapter = {
    greet: (connection) => connection.handle(contract.identity.request),
    transport: adapter.transport,
    get jobs() {
      return adapter.jobs;
    },
    async connect(served) {
      const opening = { operation: "connect", id: "", step: "" };
      const connection = await activity.call(() => adapter.connect(served), opening);
      const { carrier = connection } = connection;
      const traffic = traffics.get(carrier) ?? { inFlight: 0, sent: 0 };
      traffics.set(carrier, traffic);
      const greet: Greet = (one) => watched.greet(one);
      return new WatchedConnection(connection, contract, { activity, unanswered, traffic, greet });
    },
    renew: async () => adapter.renew?.(),
    close: () => adapter.close(),
  };
  return watched;
}

/** Calls by one carrier, those of all services that it carries. */
interface Traffic {
  /** Under way. */
  inFlight: number;
  /** Sent so far. */
  sent: number;
}

/** What watches a connection. */
interface Watch {
  readonly activity: Activity;
  readonly unanswered: Unanswered;
  readonly traffic: Traffic;
  readonly greet: Greet;
}

/** A connection whose calls are measured, ended with the run, and looked into where no answer comes. */
export class WatchedConnection implements Line {
  readonly info: Connection["info"];
  readonly carrier?: object;
  readonly #connection: Connection;
  readonly #contract: WatchedContract;
  readonly #activity: Activity;
  readonly #unanswered: Unanswered;
  readonly #traffic: Traffic;
  readonly #greet: Greet;
  #ended = false;

  constructor(
    connection: Connection,
    contract: WatchedContract,
    { activity, unanswered, traffic, greet }: Watch,
  ) {
    this.info = connection.info;
    if (connection.carrier !== undefined) this.carrier = connection.carrier;
    this.#connection = connection;
    this.#contract = contract;
    this.#activity = activity;
    this.#unanswered = unanswered;
    this.#traffic = traffic;
    this.#greet = greet;
  }

  /** Whether a fault has ended it, or somebody who had no more use for it. */
  get ended(): boolean {
    return this.#ended;
  }

  handle(request: ServiceRequest, purpose?: Purpose): Promise<unknown> {
    const call = purpose ?? {
      operation: this.#contract.operations.of(request.method, request.path),
      id: "probe/identity",
      step: "",
    };
    return this.#make(call, () => this.#connection.handle(request), purpose?.kind ?? "measuring");
  }

  start(nowMs: number): Promise<void> {
    return this.#make(aboutService("start"), () => this.#connection.start(nowMs));
  }

  advance(ms: number): Promise<number> {
    return this.#make(aboutService("advance"), () => this.#connection.advance(ms));
  }

  bytesToSign(message: string): Promise<Uint8Array> {
    return this.#make(aboutService("bytesToSign"), () => this.#connection.bytesToSign(message));
  }

  /** Once the run is interrupted it is not waited for: the report comes first. */
  async close(): Promise<void> {
    this.#ended = true;
    const closing = this.#connection.close();
    if (!this.#activity.interrupted) await closing;
  }

  /** @param kind what it is sent for, where it is a request that the service answers, rather than the adapter */
  async #make<Value>(call: Call, send: () => Promise<Value>, kind?: RequestKind): Promise<Value> {
    this.#unanswered.check(call.operation);
    const traffic = this.#traffic;
    const [isFirst, sent] = [traffic.inFlight === 0, traffic.sent + 1];
    // Of one service, what is in flight together is what was to be measured.
    const alone = () => this.carrier === undefined || (isFirst && traffic.sent === sent);
    return this.#activity.call(() => this.#ask(call, send, kind !== undefined), call, kind, alone);
  }

  async #ask<Value>(call: Call, send: () => Promise<Value>, isRequest: boolean): Promise<Value> {
    const isFirst = ++this.#traffic.inFlight === 1;
    const sent = ++this.#traffic.sent;
    const inCompany = () => !isFirst || this.#traffic.sent > sent;
    try {
      const answer = await send();
      this.#unanswered.answered(call.operation);
      return answer;
    } catch (error) {
      if (!(error instanceof AdapterFault) || error instanceof MissingAnswer) throw error;
      const fault = await this.#lookInto(error, call, isRequest, inCompany());
      this.#ended ||= fault.fatal;
      throw fault;
    } finally {
      this.#traffic.inFlight -= 1;
    }
  }

  /** @param inCompany whether another call was under way by the same carrier meanwhile */
  async #lookInto(
    fault: AdapterFault,
    call: Call,
    isRequest: boolean,
    inCompany: boolean,
  ): Promise<AdapterFault> {
    if (fault instanceof NoAnswer) return this.#overdue(fault, call, isRequest, inCompany);
    if (this.info.transport !== "http" || fault.fatal) return fault;
    const crowded = isRequest && this.#traffic.inFlight > 1;
    let alive = await this.#answers();
    if (!alive) {
      await this.#activity.time.sleep(REVIVAL_MS);
      alive = await this.#answers();
    }
    return new ServiceFault(fault.message, fault, { kind: "lost", alive }, crowded && alive);
  }

  /** Tells a hang from a slow answer, and whether the service answers anything else. */
  async #overdue(fault: NoAnswer, call: Call, isRequest: boolean, inCompany: boolean): Promise<ServiceFault> {
    const { operation } = call;
    const crowded = this.carrier === undefined ? this.#traffic.inFlight > 1 : inCompany;
    const known = this.#unanswered.hangs(operation);
    const probe = isRequest ? this.#answers() : Promise.resolve(false);
    const alone = await this.#hangsAlone(probe, fault.late);
    const late = known ? "given up" : await fault.late;
    const alive = alone || (this.info.transport === "http" && (await this.#lives(probe, late)));
    // A server that answers nobody is gone for all; a process is started anew, and each of those who wait is asked alone.
    const suspect = crowded && !alone && (alive || this.carrier !== undefined);
    if (!suspect) this.#unanswered.count(call, late === "given up" && !known);
    // Whoever is asked alone next is not to wait behind it.
    if (suspect) await probe;
    const within = `\`${operation}\` within ${fault.limitMs / 1000} s`;
    if (typeof late === "number") {
      const finding = { kind: "slow", alive: true, answeredAfterMs: late } as const;
      return new ServiceFault(
        `slow: no answer to ${within}, but later`,
        { ...own(fault), fatal: false },
        finding,
        suspect,
      );
    }
    const found = isRequest ? { alive } : {};
    if (late === "broken") {
      const message = `no answer to ${within}, and then the connection broke`;
      return new ServiceFault(message, own(fault), { kind: "lost", ...found }, suspect);
    }
    const awaitedMs = known ? fault.limitMs : fault.awaitedMs;
    const finding = { kind: "hang", awaitedMs, ...found } as const;
    return new ServiceFault(`hang: no answer to ${within}`, own(fault), finding, suspect);
  }

  /** Whether a service answers after all that could not be asked for a while. */
  async #lives(probe: Promise<boolean>, late: Late): Promise<boolean> {
    if (typeof late === "number" || (await probe)) return true;
    return late === "broken" && this.#answers();
  }

  /** Whether the service answers something else, and still not what is overdue: it did not stand still for another. */
  async #hangsAlone(probe: Promise<boolean>, late: Promise<Late>): Promise<boolean> {
    const { time } = this.#activity;
    const soon = time.sleep(PROMPT_MS).then(() => false);
    if (!(await Promise.race([probe, soon, late.then(() => false)]))) return false;
    return Promise.race([late.then(() => false), time.sleep(PROMPT_MS).then(() => true)]);
  }

  /** Whether the service answers the plainest request at all, in the adapter's own time. */
  async #answers(): Promise<boolean> {
    try {
      await this.#greet(this.#connection);
      return true;
    } catch (error) {
      if (error instanceof AdapterFault) return false;
      throw error;
    }
  }
}

/** What a fault hands on to one that tells more. */
function own({ log, fatal }: AdapterFault): Pick<AdapterFault, "log" | "fatal"> {
  return { log, fatal };
}

function aboutService(operation: string): Call {
  return { operation, id: "", step: "" };
}

/** So many requests of one operation go unanswered in a row, or altogether, before it is not asked for any more. */
const MOST_IN_A_ROW = 3;
const MOST_ALTOGETHER = 30;

interface Counted {
  inARow: number;
  altogether: number;
  readonly ids: Set<string>;
  /** Whether a request was awaited to the end, in vain: the next ones are not. */
  hangs: boolean;
  /** Why the operation is not asked for any more, once it is not. */
  givenUp?: string;
}

/** Which operations were not answered in time, and how often: the same hang over and over would cost hours. */
export class Unanswered {
  readonly #byOperation = new Map<string, Counted>();

  /** @throws {GivenUp} where the operation is not asked for any more */
  check(operation: string): void {
    const counted = this.#byOperation.get(operation);
    if (counted?.givenUp !== undefined) throw new GivenUp(counted.givenUp);
  }

  /** Takes note that the operation was answered in time. */
  answered(operation: string): void {
    const counted = this.#byOperation.get(operation);
    if (counted !== undefined) counted.inARow = 0;
  }

  /** Takes note of a request that was not answered in time, or not at all. */
  count({ operation, id }: Pick<Purpose, "operation" | "id">, hung: boolean): void {
    const counted = this.#byOperation.get(operation) ?? {
      inARow: 0,
      altogether: 0,
      ids: new Set<string>(),
      hangs: false,
    };
    this.#byOperation.set(operation, counted);
    counted.inARow += 1;
    counted.altogether += 1;
    counted.ids.add(id);
    counted.hangs ||= hung;
    if (counted.inARow < MOST_IN_A_ROW && counted.altogether < MOST_ALTOGETHER) return;
    const where = counted.ids.size === 1 ? "1 vector" : `${counted.ids.size} vectors`;
    counted.givenUp ??= `not tried: \`${operation}\` ${counted.hangs ? "hung" : "was too slow"} in ${where}`;
  }

  /** Whether a request of the operation was awaited to the end in vain. */
  hangs(operation: string): boolean {
    return this.#byOperation.get(operation)?.hangs ?? false;
  }
}
