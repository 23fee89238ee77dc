import type { RecordedExchange } from "../../engine/audit/recorded.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { executionRule } from "../execution-path.ts";
import { strayFaults } from "../model/stray-faults.ts";
import { isAnswered, OUTCOMES, operationOf, VERSION_PREFIX } from "../operations.ts";
import type { NewFinding } from "./findings.ts";
import type { SeenExchange } from "./seen.ts";

/** What a recording does not tell, and what could not be judged for that. */
export interface UnknownPart {
  readonly what: string;
  readonly rules: readonly string[];
  readonly exchanges: number;
}

/** Why something of an exchange was not judged. */
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

/** Counts what could not be judged, and why. */
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

/** Refusals that hang on what came before. */
const OF_HISTORY = [
  OUTCOMES.full,
  OUTCOMES.limited,
  OUTCOMES.conflict,
  OUTCOMES.rebuild,
  OUTCOMES.unauthorized,
  OUTCOMES.spentChallenge,
];

/** Whether an answer refuses for what came before. */
export function refusesForHistory(exchange: Exchange): boolean {
  return OF_HISTORY.some((outcome) => isAnswered(outcome, exchange));
}

/** What a request lacks of the headers that a recording may have left out. */
interface Lacks {
  readonly caller: boolean;
  readonly key: boolean;
}

/**
 * Which headers each recording tells of at all: browsers leave out the one that says who asks, and logs all that nobody named.
 * Who did not send one did so of his own accord only where others of the same recording are seen to send it.
 */
export class ToldHeaders {
  readonly #all: boolean;
  readonly #callers = new Set<string>();
  readonly #keys = new Set<string>();

  /** @param all whether every header is told of that was sent */
  constructor(all: boolean) {
    this.#all = all;
  }

  /** Takes note of what a request has. */
  note({ source: { file }, credentials, request }: RecordedExchange): void {
    if (credentials !== "none") this.#callers.add(file);
    if (request.idempotencyKey !== undefined) this.#keys.add(file);
  }

  /** Whether what a build lacks may be lacking in the recording alone. */
  mayLack(file: string, lacks: Lacks): boolean {
    return (lacks.caller && !this.#tellsCallers(file)) || (lacks.key && !this.#tellsKeys(file));
  }

  /**
   * Whether a request outside the build route may have been refused for a header that is not asked for there, and that
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

/** Holds back what hangs on a header until it is known which headers its recording tells of. */
export class HeldBack {
  readonly #headers: ToldHeaders;
  /** Builds that lack a header of which their recording has not told by then. */
  #builds: { readonly seen: SeenExchange; readonly lacks: Lacks }[] = [];
  /** Findings that a header explains of which their recording has not told by then. */
  #findings: NewFinding[] = [];
  /** Number of those that are not judged at all. */
  #unjudged = 0;

  /** @param allHeaders whether every header is told of that was sent */
  constructor(allHeaders: boolean) {
    this.#headers = new ToldHeaders(allHeaders);
  }

  /** Takes note of the headers that a request has. */
  note(exchange: RecordedExchange): void {
    this.#headers.note(exchange);
  }

  /** Takes a build that may lack a header in the recording alone; gives whether it does. */
  takeBuild(seen: SeenExchange): boolean {
    const { request } = seen.exchange;
    const lacks = { caller: seen.caller === "none", key: request.idempotencyKey === undefined };
    if (!this.#headers.mayLack(seen.source.file, lacks)) return false;
    const isRefused = lacks.caller && isAnswered(OUTCOMES.unauthorized, seen.exchange);
    if (isRefused || this.#builds.length >= MOST_HELD) this.#unjudged += 1;
    else this.#builds.push({ seen, lacks });
    return true;
  }

  /** Takes a finding that an unrecorded header may explain; gives whether one may. */
  takeFinding(finding: NewFinding): boolean {
    if (!this.#headers.mayExplain(finding.seen)) return false;
    if (this.#findings.length < MOST_HELD) this.#findings.push(finding);
    else this.#unjudged += 1;
    return true;
  }

  /** Once there is no more: the findings that no header explains, and the builds that lacked a header as they were sent. */
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

/** Methods that servers answer for whatever service is behind them: without a body, or before it. */
const OF_SERVERS: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE"]);

/** Whether a request is by a method of which the contract says nothing. */
export function isOfServers(method: string): boolean {
  return OF_SERVERS.has(method);
}

/** Whether the contract says nothing of a route: a server may have others, such as one that tells whether it is healthy. */
export function isBesideContract({ operation, request: { method, path }, status = 0 }: Exchange): boolean {
  if (isOfServers(method)) return true;
  if (operation !== "other") return false;
  const [bare = ""] = path.split("?", 1);
  if (executionRule(bare) !== undefined) return false;
  return !bare.startsWith(`${VERSION_PREFIX}/`) || status < 400;
}
