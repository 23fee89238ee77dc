import type { Partition } from "../../engine/audit/partition.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { requestJson } from "../judge/request-json.ts";
import { isAnswered, LIFETIME_MS, MINUTE_MS, OUTCOMES, operationOf } from "../operations.ts";
import { Known } from "./ledger.ts";
import type { Seen, SeenExchange, SeenRestart } from "./seen.ts";

type Request = Exchange["request"];

/** What partitions need to know. */
interface PartitionsOptions {
  /** Whether no request to the service is missing. */
  readonly complete: boolean;
  /** Creator of a challenge, and of the session of a bearer, where seen. */
  readonly creatorOfId: (id: string) => string | undefined;
  readonly creatorOfBearer: (bearer: string) => string | undefined;
  /** @param whole whether no event of it will be missing */
  readonly newPartition: (whole: boolean) => Partition<Seen>;
}

/** The history of a service in partitions: one for each creator, and one for each group of requests whose creator is unknown. */
export class Partitions {
  readonly #options: PartitionsOptions;
  readonly #byName = new Map<string, Partition<Seen>>();
  readonly #waiting = new Set<Partition<Seen>>();
  /** Number of restarts that each partition has seen. */
  readonly #told = new WeakMap<Partition<Seen>, number>();
  /** Partitions in which a bearer was used before it was seen being given. */
  readonly #usedEarly = new Known<ReadonlySet<Partition<Seen>>>();
  #restarts = 0;
  #lastRestart: SeenRestart | undefined;
  /** Earliest begin of the current exchange. */
  #beganMs = Number.NEGATIVE_INFINITY;
  /** Whether any partition was forgotten: a later one may continue it. */
  #forgot = false;
  /** Whether an unrecorded bearer may have been given. */
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

  /** Judges all events that nothing from this moment on can overlap. */
  settle(nowMs: number): void {
    this.#beganMs = nowMs;
    this.#settle(nowMs);
  }

  /** The partition that a request belongs to. */
  of(request: Request): Partition<Seen> {
    return this.#named(this.nameOf(request));
  }

  /** Name of the partition that a request belongs to: the creator, or a name with a space where the creator is unknown. */
  nameOf({ method, bearer, body, path }: Request): string {
    const { creatorOfBearer, creatorOfId } = this.#options;
    const operation = operationOf(method, path);
    // Outside the build route, a bearer does not tell the creator.
    const owner = operation === "build" ? creatorOfBearer(bearer ?? "") : undefined;
    if (owner !== undefined) return owner;
    const members = body === undefined ? undefined : requestJson({ body });
    const { creator, id } = members ?? {};
    if (operation === "verify" && typeof id === "string") return creatorOfId(id) ?? ofId(id);
    return typeof creator === "string" ? creator : ofPath(path);
  }

  /** Remembered events of a partition. */
  historyOf(name: string): readonly Seen[] {
    return this.#byName.get(name)?.history ?? [];
  }

  /** Adds an event that began no earlier than those before it. */
  add(partition: Partition<Seen>, seen: SeenExchange): void {
    partition.add(seen);
    this.#waiting.add(partition);
  }

  /** Notes a restart. Requests in flight may be served after it; idle partitions learn of it with their next event. */
  restarted(restart: SeenRestart): void {
    this.#restarts += 1;
    this.#lastRestart = restart;
    for (const partition of this.#waiting) this.#tellRestart(partition);
  }

  /** Notes that effects of requests like this may be missing. */
  miss(request: Request): void {
    this.of(request).miss();
  }

  /** Notes a request whose effect is unknown: it may have given an id or a bearer that starts a partition of its own. */
  lose(request: Request): void {
    this.miss(request);
    const operation = operationOf(request.method, request.path);
    if (operation === "platform" || operation === "other") return;
    if (operation !== "build") {
      this.#forgot = true;
      // Overlapping requests may have used what it gave.
      for (const partition of this.#waiting) partition.miss();
    }
    if (operation === "verify") this.#bearerLost = true;
    if (this.nameOf(request) === ofPath(request.path)) this.#missAll();
  }

  /** Notes a new challenge. A partition that used it earlier may be related to the creator's. */
  issued(id: string, request: Request): void {
    const uses = this.#byName.get(ofId(id));
    if (uses === undefined) return;
    uses.miss();
    this.miss(request);
  }

  /** Notes a challenge whose creator is unknown: its use may be related to requests that could not be read. */
  issuedToNobody(id: string): void {
    this.#named(ofId(id)).miss();
  }

  /** Notes a new bearer: partitions that used it earlier may be related to it. */
  given(bearer: string): void {
    for (const partition of this.#usedEarly.get(bearer) ?? []) partition.miss();
  }

  /** Notes a build with a bearer that was not seen being given. */
  usedUnseen(bearer: string, partition: Partition<Seen>, atMs: number): void {
    if (partition.whole) {
      const others = this.#usedEarly.get(bearer) ?? [];
      this.#usedEarly.set(bearer, new Set([...others, partition]), atMs);
    }
    if (this.#bearerLost) partition.miss();
  }

  /**
   * Starts over with another service.
   * @param mayBeSame whether it may still be the same one
   */
  forgetService(mayBeSame: boolean): void {
    this.#settle(Number.POSITIVE_INFINITY);
    this.#byName.clear();
    this.#usedEarly.clear();
    this.#forgot = mayBeSame;
    this.#bearerLost = false;
    this.#allMissed = false;
  }

  /** Forgets what can no longer matter. */
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

  /** Notes that challenges, sessions and keys of any creator may be missing. */
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
      // With clocks that differ, the last restart may still be to come.
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

/** Name of the partition of a challenge whose creator is unknown. */
function ofId(id: string): string {
  return `id ${id}`;
}

/** Name of the partition of requests whose creator is unknown. */
function ofPath(path: string): string {
  return `path ${path}`;
}

/** How long ids and bearers are remembered: twice the lifetime of a session. */
export const KEPT_MS = 2 * LIFETIME_MS.session;
/** How long uses of challenges and builds matter. */
const SHORTLY_MS = 15 * MINUTE_MS;

/** Whether an event may still matter. */
export function matters(seen: Seen, nowMs: number): boolean {
  const age = nowMs - seen.endsMs;
  if (seen.kind === "restart") return age < KEPT_MS;
  const { operation, status } = seen.exchange;
  const isSession = operation === "verify" && status === 200;
  return age < (isSession ? KEPT_MS : SHORTLY_MS);
}

/** Whether two exchanges share a challenge, a session or a key, or both count as builds. */
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
