import type { Partition } from "../../engine/audit/partition.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { requestJson } from "../judge/request-json.ts";
import { isAnswered, LIFETIME_MS, MINUTE_MS, OUTCOMES, operationOf } from "../operations.ts";
import { Known } from "./ledger.ts";
import type { Seen, SeenExchange, SeenRestart } from "./seen.ts";

type Request = Exchange["request"];

/** What partitions are made by. */
interface PartitionsOptions {
  /** Whether nothing is missing of what the service was asked. */
  readonly complete: boolean;
  /** Whom a challenge was issued to, and whose session a bearer stands for, as far as was seen. */
  readonly creatorOfId: (id: string) => string | undefined;
  readonly creatorOfBearer: (bearer: string) => string | undefined;
  /** @param whole whether nothing is missing of what it will see */
  readonly newPartition: (whole: boolean) => Partition<Seen>;
}

/** The history of a service in partitions: one for each creator, as far as it is known whom a request is about. */
export class Partitions {
  readonly #options: PartitionsOptions;
  readonly #byName = new Map<string, Partition<Seen>>();
  readonly #waiting = new Set<Partition<Seen>>();
  /** How many restarts each partition was told of. */
  readonly #told = new WeakMap<Partition<Seen>, number>();
  /** The partitions in which a bearer was used that nobody had seen being given by then. */
  readonly #usedEarly = new Known<ReadonlySet<Partition<Seen>>>();
  #restarts = 0;
  #lastRestart: SeenRestart | undefined;
  /** When what is at hand may have begun. */
  #beganMs = Number.NEGATIVE_INFINITY;
  /** Whether any partition was forgotten: one that begins later may have been there before. */
  #forgot = false;
  /** Whether a bearer may have been given that was not recorded. */
  #bearerLost = false;
  #allMissed = false;

  constructor(options: PartitionsOptions) {
    this.#options = options;
  }

  /** How many restarts there were. */
  get restarts(): number {
    return this.#restarts;
  }

  get lastRestart(): SeenRestart | undefined {
    return this.#lastRestart;
  }

  /** Judges all that cannot be joined any more by what may begin at this moment or later. */
  settle(nowMs: number): void {
    this.#beganMs = nowMs;
    this.#settle(nowMs);
  }

  /** The partition that a request belongs to. */
  of(request: Request): Partition<Seen> {
    return this.#named(this.nameOf(request));
  }

  /** Names the partition that a request belongs to: the creator, or with a space in it what else is known. */
  nameOf({ method, bearer, body, path }: Request): string {
    const { creatorOfBearer, creatorOfId } = this.#options;
    const operation = operationOf(method, path);
    // Where no bearer is asked for, one says nothing of whose challenge it is.
    const owner = operation === "build" ? creatorOfBearer(bearer ?? "") : undefined;
    if (owner !== undefined) return owner;
    const members = body === undefined ? undefined : requestJson({ body });
    const { creator, id } = members ?? {};
    if (operation === "verify" && typeof id === "string") return creatorOfId(id) ?? ofId(id);
    return typeof creator === "string" ? creator : ofPath(path);
  }

  /** What took place in a partition, as far as it is remembered. */
  historyOf(name: string): readonly Seen[] {
    return this.#byName.get(name)?.history ?? [];
  }

  /** Takes into a partition what began no earlier than what came before. */
  add(partition: Partition<Seen>, seen: SeenExchange): void {
    partition.add(seen);
    this.#waiting.add(partition);
  }

  /** Takes note of a restart: what was in flight may have been served after it; other partitions are told when they go on. */
  restarted(restart: SeenRestart): void {
    this.#restarts += 1;
    this.#lastRestart = restart;
    for (const partition of this.#waiting) this.#tellRestart(partition);
  }

  /** From here on something may be missing of what came of requests like this. */
  miss(request: Request): void {
    this.of(request).miss();
  }

  /** Nobody knows what came of a request: it may have given an id or a bearer, with which a partition of its own begins. */
  lose(request: Request): void {
    this.miss(request);
    const operation = operationOf(request.method, request.path);
    if (operation === "platform" || operation === "other") return;
    if (operation !== "build") {
      this.#forgot = true;
      // What overlaps it may have used what it gave.
      for (const partition of this.#waiting) partition.miss();
    }
    if (operation === "verify") this.#bearerLost = true;
    if (this.nameOf(request) === ofPath(request.path)) this.#missAll();
  }

  /** A challenge was issued. What saw it being used before may have more in common with the partition of who asked for it. */
  issued(id: string, request: Request): void {
    const uses = this.#byName.get(ofId(id));
    if (uses === undefined) return;
    uses.miss();
    this.miss(request);
  }

  /** A challenge was issued of which nobody can tell for whom: what comes of it may have to do with what was not understood. */
  issuedToNobody(id: string): void {
    this.#named(ofId(id)).miss();
  }

  /** A bearer was given: partitions that used it before may have more to do with it. */
  given(bearer: string): void {
    for (const partition of this.#usedEarly.get(bearer) ?? []) partition.miss();
  }

  /** A build was asked for in a partition by a bearer that nobody saw being given. */
  usedUnseen(bearer: string, partition: Partition<Seen>, atMs: number): void {
    if (partition.whole) {
      const others = this.#usedEarly.get(bearer) ?? [];
      this.#usedEarly.set(bearer, new Set([...others, partition]), atMs);
    }
    if (this.#bearerLost) partition.miss();
  }

  /**
   * Begins anew with a service that has nothing to do with the former.
   * @param mayBeSame whether it may be the same all the same
   */
  forgetService(mayBeSame: boolean): void {
    this.#settle(Number.POSITIVE_INFINITY);
    this.#byName.clear();
    this.#usedEarly.clear();
    this.#forgot = mayBeSame;
    this.#bearerLost = false;
    this.#allMissed = false;
  }

  /** Forgets what can matter no more. */
  sweep(nowMs: number): void {
    this.#usedEarly.forget(nowMs - SHORTLY_MS);
    for (const [name, partition] of this.#byName) {
      if (partition.waits || partition.untilMs > nowMs - SHORTLY_MS || partition.forget(nowMs)) continue;
      this.#byName.delete(name);
      this.#forgot = true;
    }
  }

  #settle(nowMs: number): void {
    for (const partition of this.#waiting) {
      if (partition.untilMs >= nowMs) continue;
      partition.settle();
      this.#waiting.delete(partition);
    }
  }

  /** Something may be missing of anybody's challenges, sessions and keys. */
  #missAll(): void {
    if (this.#allMissed) return;
    this.#allMissed = true;
    this.#forgot = true;
    for (const partition of this.#byName.values()) partition.miss();
  }

  #named(name: string): Partition<Seen> {
    let partition = this.#byName.get(name);
    if (partition === undefined) {
      partition = this.#options.newPartition(this.#options.complete && !this.#forgot);
      this.#byName.set(name, partition);
      // By clocks that are apart the last restart may be still to come.
      const isOver = this.#lastRestart === undefined || this.#lastRestart.endsMs <= this.#beganMs;
      this.#told.set(partition, isOver ? this.#restarts : this.#restarts - 1);
    }
    this.#tellRestart(partition);
    return partition;
  }

  #tellRestart(partition: Partition<Seen>): void {
    if (this.#lastRestart === undefined || this.#told.get(partition) === this.#restarts) return;
    partition.add(this.#lastRestart);
    this.#told.set(partition, this.#restarts);
  }
}

/** The partition of a challenge of which nobody knows whose it is. */
function ofId(id: string): string {
  return `id ${id}`;
}

/** The partition of what nothing tells whose it is. */
function ofPath(path: string): string {
  return `path ${path}`;
}

/** Ids and bearers are known twice as long as sessions live. */
export const KEPT_MS = 2 * LIFETIME_MS.session;
/** What uses challenges, and what is built, matters for so long; what opens a session as long as that lives. */
const SHORTLY_MS = 15 * MINUTE_MS;

/** Whether something that was seen may still matter. */
export function matters(seen: Seen, nowMs: number): boolean {
  const age = nowMs - seen.endsMs;
  if (seen.kind === "restart") return age < KEPT_MS;
  const { operation, status } = seen.exchange;
  const isSession = operation === "verify" && status === 200;
  return age < (isSession ? KEPT_MS : SHORTLY_MS);
}

/** Whether two exchanges have a challenge, a session or a key in common, or both count as builds. */
export function isAbout(seen: Seen, other: Seen): boolean {
  if (seen.kind === "restart" || other.kind === "restart") return true;
  const isLimited = isAnswered(OUTCOMES.limited, other.exchange);
  if (isLimited && seen.exchange.operation === other.exchange.operation) return true;
  const names = namesIn(other.exchange);
  return namesIn(seen.exchange).some((name) => names.includes(name));
}

function namesIn({ request, body }: Exchange): readonly string[] {
  const { bearer, idempotencyKey } = request;
  const asked = requestJson(request)?.["id"];
  return [asked, body["id"], body["bearer"], bearer, idempotencyKey].filter(
    (name) => typeof name === "string",
  );
}
