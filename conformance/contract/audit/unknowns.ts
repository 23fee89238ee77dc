import type { RecordedExchange } from "../../engine/audit/recorded.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { executionRule } from "../execution-path.ts";
import { strayFaults } from "../model/stray-faults.ts";
import { isAnswered, OUTCOMES, operationOf, VERSION_PREFIX } from "../operations.ts";
import type { NewFinding } from "./findings.ts";
import type { SeenExchange } from "./seen.ts";

/** Something that a recording does not show, and the rules that could not be judged for that. */
export interface UnknownPart {
  readonly what: string;
  readonly rules: readonly string[];
  readonly exchanges: number;
}

/** Reasons why an exchange was not judged, or not by every rule. */
const KINDS = {
  noAnswer: { what: "no answer of the service was recorded", rules: [] },
  bodyLost: {
    what: "the body of the request or of the answer was not recorded whole, or not as it was",
    rules: [],
  },
  noCredentials: {
    what: "the recording holds no Authorization header at all, as browsers export it, or no Idempotency-Key",
    rules: ["AUTH-4", "AUTH-5", "LAUNCH-6", "SESSION-5", "SESSION-7"],
  },
  oddCredentials: {
    what: "the Authorization header was no plain bearer, or there were several keys",
    rules: ["AUTH-4"],
  },
  challenge: {
    what: "nobody saw when the challenge was issued, and for whom",
    rules: ["CHALLENGE-21", "VERIFY-8", "VERIFY-9", "VERIFY-10", "VERIFY-12"],
  },
  session: {
    what: "nobody saw when the session was opened, and for whom",
    rules: ["AUTH-5", "LAUNCH-6", "SESSION-7"],
  },
  sameBearer: {
    what: "a later session of the same creator, which nobody saw opened, may have the same bearer",
    rules: ["SESSION-6", "SESSION-7", "SESSION-8", "SESSION-10"],
  },
  refused: {
    what: "the refusal may be for what nobody saw: a restart, a used key, a spent minute, a full store",
    rules: ["CHALLENGE-20", "SESSION-5", "SESSION-6", "IDEMPOTENCY-5", "LIMIT-5", "LIMIT-7", "LIMIT-11"],
  },
  counted: {
    what: "builds may have been made that nobody saw, or be retries of such",
    rules: ["LIMIT-6", "LIMIT-12", "IDEMPOTENCY-14"],
  },
  hosts: { what: "nobody stated the metadata hosts (--metadata-hosts A B)", rules: ["LAUNCH-30"] },
  operator: { what: "nobody stated the operator's key (--facts FILE)", rules: ["LAUNCH-13"] },
  proof: {
    what: "the signature is masked, and nothing says whether it held",
    rules: ["VERIFY-8", "VERIFY-10"],
  },
  beside: { what: "the contract says nothing of the route, or HEAD or OPTIONS was asked", rules: [] },
  together: { what: "too many overlapped to find out in which order they were served", rules: [] },
  late: { what: "it stood in the recording long after those that began later", rules: [] },
} as const;
type UnknownKind = keyof typeof KINDS;

/** Counts exchanges that could not be judged, by reason. */
export class Unknowns {
  readonly #counts = new Map<UnknownKind, number>();

  count(kind: UnknownKind, exchanges = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + exchanges);
  }

  told(): readonly UnknownPart[] {
    return Object.entries(KINDS).flatMap(([kind, { what, rules }]) => {
      const exchanges = this.#counts.get(kind as UnknownKind);
      return exchanges === undefined ? [] : [{ what, rules, exchanges }];
    });
  }
}

/** Refusals that depend on history. */
const OF_HISTORY = [
  OUTCOMES.full,
  OUTCOMES.limited,
  OUTCOMES.conflict,
  OUTCOMES.rebuild,
  OUTCOMES.unauthorized,
  OUTCOMES.spentChallenge,
];

/** Whether a response is a refusal that depends on history. */
export function refusesForHistory(exchange: Exchange): boolean {
  return OF_HISTORY.some((outcome) => isAnswered(outcome, exchange));
}

/** Headers that a request lacks and a recorder may have left out. */
interface Lacks {
  readonly caller: boolean;
  readonly key: boolean;
}

/**
 * Which headers each recording has at all: browsers leave out `Authorization`, and logs every header that is not configured.
 * A request without one was sent without it only where another request of the same recording has it.
 */
export class ToldHeaders {
  readonly #all: boolean;
  readonly #callers = new Set<string>();
  readonly #keys = new Set<string>();

  /** @param all whether every header that was sent is recorded */
  constructor(all: boolean) {
    this.#all = all;
  }

  /** Notes the headers of a request. */
  note({ source: { file }, credentials, request }: RecordedExchange): void {
    if (credentials !== "none") this.#callers.add(file);
    if (request.idempotencyKey !== undefined) this.#keys.add(file);
  }

  /** Whether a build may lack these headers in the recording only. */
  mayLack(file: string, lacks: Lacks): boolean {
    return (lacks.caller && !this.#tellsCallers(file)) || (lacks.key && !this.#tellsKeys(file));
  }

  /**
   * Whether a request outside the build route may have been refused for a header that is not required there, and that
   * the recording does not hold, or not as a plain bearer (STRAY-BEARER-PLATFORM, STRAY-KEY and their like).
   */
  mayExplain({ caller, source: { file }, exchange }: SeenExchange): boolean {
    const { request } = exchange;
    const { method, path } = request;
    const operation = operationOf(method, path);
    if (operation === "build") return false;
    const mayHaveBearer = caller === "odd" || (caller === "none" && !this.#tellsCallers(file));
    if (operation === "other") return mayHaveBearer && isAnswered(OUTCOMES.unauthorized, exchange);
    const mayHaveKey = request.idempotencyKey === undefined && !this.#tellsKeys(file);
    const stray = {
      method,
      path,
      ...(mayHaveBearer ? { bearer: "" } : {}),
      ...(mayHaveKey ? { idempotencyKey: "" } : {}),
    };
    const outcomes = strayFaults(operation, stray).flatMap((fault) => fault.outcomes);
    return outcomes.some((outcome) => isAnswered(outcome, exchange));
  }

  #tellsCallers(file: string): boolean {
    return this.#all || this.#callers.has(file);
  }

  #tellsKeys(file: string): boolean {
    return this.#all || this.#keys.has(file);
  }
}

/** Builds and findings that are held back. */
const MOST_HELD = 1_000;

/** Holds back builds and findings that depend on a header until it is known which headers their recording has. */
export class HeldBack {
  readonly #headers: ToldHeaders;
  /** Builds that lack a header which no request of their recording had by then. */
  #builds: { readonly seen: SeenExchange; readonly lacks: Lacks }[] = [];
  /** Findings that an unrecorded header may explain. */
  #findings: NewFinding[] = [];
  /** Number of builds and findings that are not judged. */
  #unjudged = 0;

  /** @param allHeaders whether every header that was sent is recorded */
  constructor(allHeaders: boolean) {
    this.#headers = new ToldHeaders(allHeaders);
  }

  /** Notes the headers of a request. */
  note(exchange: RecordedExchange): void {
    this.#headers.note(exchange);
  }

  /** Takes a build that may lack a header in the recording only. @returns whether it was taken */
  takeBuild(seen: SeenExchange): boolean {
    const { request } = seen.exchange;
    const lacks = { caller: seen.caller === "none", key: request.idempotencyKey === undefined };
    if (!this.#headers.mayLack(seen.source.file, lacks)) return false;
    const isRefused = lacks.caller && isAnswered(OUTCOMES.unauthorized, seen.exchange);
    if (isRefused || this.#builds.length >= MOST_HELD) this.#unjudged += 1;
    else this.#builds.push({ seen, lacks });
    return true;
  }

  /** Takes a finding that an unrecorded header may explain. @returns whether it was taken */
  takeFinding(finding: NewFinding): boolean {
    if (!this.#headers.mayExplain(finding.seen)) return false;
    if (this.#findings.length < MOST_HELD) this.#findings.push(finding);
    else this.#unjudged += 1;
    return true;
  }

  /** Ends the recording: returns the findings that no header explains, and the builds that were sent without a header. */
  end(): {
    readonly findings: readonly NewFinding[];
    readonly builds: readonly SeenExchange[];
    readonly unjudged: number;
  } {
    const findings = this.#findings.filter(({ seen }) => !this.#headers.mayExplain(seen));
    const builds = this.#builds.filter(({ seen, lacks }) => !this.#headers.mayLack(seen.source.file, lacks));
    const explained = this.#findings.length - findings.length + this.#builds.length - builds.length;
    return { findings, builds: builds.map(({ seen }) => seen), unjudged: this.#unjudged + explained };
  }
}

/** Methods that servers answer for any service: without a body, or before it. */
const OF_SERVERS: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE"]);

/** Whether the contract says nothing about a method. */
export function isOfServers(method: string): boolean {
  return OF_SERVERS.has(method);
}

/** Whether the contract says nothing about a route: a server may have others, such as a health check. */
export function isBesideContract({ operation, request: { method, path }, status = 0 }: Exchange): boolean {
  if (isOfServers(method)) return true;
  if (operation !== "other") return false;
  const [bare = ""] = path.split("?", 1);
  if (executionRule(bare) !== undefined) return false;
  return !bare.startsWith(`${VERSION_PREFIX}/`) || status < 400;
}
