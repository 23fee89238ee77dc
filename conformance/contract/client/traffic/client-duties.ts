import type { Facts } from "../../../adapters/adapter.ts";
import type { ClientRequest, StagedAnswer, Trace, Turn, Violation } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import type { SourcePlace } from "../../../engine/vectors/vector.ts";
import { Known } from "../../audit/known.ts";
import { LIFETIME_MS, operationOf } from "../../operations.ts";
import { type Asked, type ClientReading, readTrace } from "../judge/client-reading.ts";
import { judgeProofs } from "../judge/proofs.ts";
import { judgeRequests } from "../judge/requests.ts";
import { judgeRetries } from "../judge/retries.ts";
import { judgeRoutes } from "../judge/routes.ts";
import { judgeSessions } from "../judge/sessions.ts";
import { judgeTermsHash } from "../judge/terms-hash.ts";

/** A request of some client that passed, and what it was answered. */
export interface ClientExchange {
  /** Where it is told of. */
  readonly source: SourcePlace;
  /** In ms since the Unix epoch. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly request: ClientRequest;
  /** Absent where no whole answer came. */
  readonly response?: { readonly status: number; readonly text: string };
  /** Whether the signature held, where it is masked. */
  readonly maskedProof?: "holds" | "fails" | "unknown";
  /** Whether headers that say who asks may have been left out, as browsers do when they export what they sent. */
  readonly callerUnknown?: boolean;
}

/** A duty that a client did not keep. */
export interface NeglectedDuty {
  readonly violation: Violation;
  /** Whether it only warns: what is done so is legal. */
  readonly isAdvice: boolean;
  readonly exchange: ClientExchange;
  /** Earlier exchanges without which it would be none. */
  readonly because: readonly ClientExchange[];
  /** Whom the request is for, where that is known. */
  readonly creator: string | undefined;
}

const ADVICE: ReadonlySet<string> = new Set(["CLIENT-ROUTE-2", "CLIENT-SESSION-4", "CLIENT-BUILD-5"]);
/** What is known of challenges, sessions and keys matters no longer than twice the life of a session. */
const KEPT_MS = 2 * LIFETIME_MS.session;
/** After so many exchanges it is looked what can be forgotten. */
const SWEEP = 5_000;
/** Challenges, proofs, sessions and keys that are known, at most of each: exchanges are kept whole. */
const MOST_KNOWN = 10_000;
/** Earlier exchanges of one kind that one is held against. */
const MOST_EARLIER = 3;

/**
 * The clients' rules that can be judged from traffic: what each request is by itself, and what it is beside those of its
 * challenge, its session and its key. Which launches a client was given, and which process sent what, no traffic tells: what
 * hangs on that is not judged.
 */
export class ClientDuties {
  readonly #facts: Pick<Facts, "metadataHosts" | "signedBytes">;
  readonly #profiles: ClientExchange[] = [];
  readonly #challenges = new Known<ClientExchange>();
  /** Proofs by the id of their challenge. */
  readonly #proofs = new Known<readonly ClientExchange[]>();
  /** By bearer: how its session was opened. */
  readonly #sessions = new Known<readonly ClientExchange[]>();
  /** Builds by creator and key. */
  readonly #builds = new Known<readonly ClientExchange[]>();
  /** Whether a proof that was accepted holds over the message as it is stated or usual. */
  #bytesKnown: boolean;
  #taken = 0;

  /** @param signedBytes how messages are signed, where that is stated */
  constructor(signedBytes: Facts["signedBytes"] | undefined) {
    this.#bytesKnown = signedBytes !== undefined && signedBytes !== "adapter";
    this.#facts = { metadataHosts: ["", ""], signedBytes: signedBytes ?? "utf8" };
  }

  /** Takes in what began no earlier than what came before; gives the duties that it neglects. */
  take(exchange: ClientExchange): readonly NeglectedDuty[] {
    this.#taken += 1;
    if (this.#taken % SWEEP === 0) this.#forget(exchange.startedMs - KEPT_MS);
    const earlier = this.#earlier(exchange);
    const turns = [...earlier, exchange].map(turnOf);
    const reading = readTrace({ turns, tasks: [], waitScale: 1 } satisfies Trace);
    const asked = reading.asked.at(-1);
    if (asked === undefined) return [];
    const violations = this.#judged(asked, reading, exchange).filter(
      ({ turn, rule }) =>
        turn === asked.turn.index && !(exchange.callerUnknown && rule === "CLIENT-SESSION-1"),
    );
    this.#note(asked, exchange);
    return violations.map((violation) => ({
      violation: violation.rule === "CLIENT-SESSION-1" ? withoutSecret(violation) : violation,
      isAdvice: ADVICE.has(violation.rule),
      exchange,
      because: OF_HISTORY.has(violation.rule) ? earlier : [],
      creator: asked.creator,
    }));
  }

  #judged(asked: Asked, reading: ClientReading, { maskedProof }: ClientExchange): readonly Violation[] {
    const { operation, creator } = asked;
    switch (operation) {
      case "challenge":
        return [
          ...judgeRequests(withLaunchOf(creator, reading)),
          ...this.#ofTerms(asked, reading),
          ...always(reading),
        ];
      case "verify":
        return [...judgeRequests(reading), ...this.#ofProof(asked, reading, maskedProof), ...always(reading)];
      case "build":
        return [
          ...judgeRequests(reading),
          ...judgeRetries(reading).filter(({ rule }) => rule === "CLIENT-RETRY-1"),
          ...always(reading).filter((violation) => isOfSession(violation, asked, reading)),
        ];
      default:
        return [...judgeRequests(reading), ...always(reading)];
    }
  }

  /** The hash of a profile that nobody saw may be right, as long as the service takes it. */
  #ofTerms({ status }: Asked, reading: ClientReading): readonly Violation[] {
    return this.#profiles.length === 0 || status === 200 ? [] : judgeTermsHash(reading);
  }

  #ofProof(
    asked: Asked,
    reading: ClientReading,
    masked: ClientExchange["maskedProof"],
  ): readonly Violation[] {
    const found = judgeProofs(reading, { facts: this.#facts });
    const own = found.filter(({ turn }) => turn === asked.turn.index);
    const fails = own.some(({ rule }) => rule === "CLIENT-PROOF-2");
    const { id } = asked.body.members;
    if (masked === undefined && asked.status === 200 && !fails && reading.challenges.has(String(id)))
      this.#bytesKnown = true;
    return own.filter(({ rule }) => {
      // A service that takes a proof says that it is one; what is signed is its own choice.
      if (rule === "CLIENT-PROOF-2")
        return asked.status === 401 && (masked === undefined ? this.#bytesKnown : masked === "fails");
      return rule === "CLIENT-PROOF-4" && wasToldOfEnd(asked, reading);
    });
  }

  /** What an exchange is held against, in its order. */
  #earlier({ request }: ClientExchange): readonly ClientExchange[] {
    const alone = readTrace({
      turns: [turnOf({ source: NOWHERE, startedMs: 0, endedMs: 0, request }, 0)],
      tasks: [],
      waitScale: 1,
    });
    const [asked] = alone.asked;
    if (asked === undefined) return [];
    const { operation, body, bearer, key } = asked;
    const session = this.#sessions.get(bearer ?? "") ?? [];
    if (operation === "challenge") return inOrder([...this.#profiles, ...session]);
    if (operation === "verify") {
      const id = String(body.members["id"]);
      return inOrder([...session, ...given(this.#challenges.get(id)), ...(this.#proofs.get(id) ?? [])]);
    }
    if (operation !== "build") return session;
    return inOrder([...session, ...(this.#builds.get(`${body.members["creator"]} ${key}`) ?? [])]);
  }

  #note({ operation, status, answer, body, bearer, key }: Asked, exchange: ClientExchange): void {
    const { startedMs } = exchange;
    if (operation === "platform" && status === 200) {
      const isKnown = this.#profiles.some(({ response }) => response?.text === exchange.response?.text);
      if (!isKnown) this.#profiles.push(exchange);
      if (this.#profiles.length > MOST_EARLIER) this.#profiles.shift();
    }
    const id = String(body.members["id"]);
    if (operation === "challenge" && status === 200 && typeof answer["id"] === "string")
      this.#challenges.set(answer["id"], exchange, startedMs);
    if (operation === "verify") {
      const before = this.#proofs.get(id) ?? [];
      this.#proofs.set(id, [...before, exchange].slice(-MOST_EARLIER), startedMs);
      const issued = answer["bearer"];
      if (status === 200 && typeof issued === "string")
        this.#sessions.set(issued, [...given(this.#challenges.get(id)), exchange], startedMs);
    }
    if (operation === "build" && bearer !== undefined && key !== undefined) {
      const name = `${body.members["creator"]} ${key}`;
      const before = this.#builds.get(name) ?? [];
      this.#builds.set(name, [...before, exchange].slice(-MOST_EARLIER), startedMs);
    }
  }

  #forget(beforeMs: number): void {
    for (const known of [this.#challenges, this.#proofs, this.#sessions, this.#builds]) {
      known.forget(beforeMs);
      known.keep(MOST_KNOWN);
    }
  }
}

const NOWHERE: SourcePlace = { file: "", line: 0 };

/** Rules of which earlier exchanges show that one is broken. */
const OF_HISTORY: ReadonlySet<string> = new Set([
  "CLIENT-PROFILE-1",
  "CLIENT-PROOF-2",
  "CLIENT-PROOF-4",
  "CLIENT-SESSION-2",
  "CLIENT-RETRY-1",
]);

/** What is sent as a bearer and is none may be a secret all the same. */
function withoutSecret(violation: Violation): Violation {
  return { ...violation, got: violation.got.replace(/: ".*$/s, "") };
}

function always(reading: ClientReading): readonly Violation[] {
  return [...judgeRoutes(reading), ...judgeSessions(reading)];
}

/** Of a build's session: one that nobody saw opened may be any; what is no bearer at all is none. */
function isOfSession({ rule }: Violation, asked: Asked, { sessions }: ClientReading): boolean {
  if (rule === "CLIENT-SESSION-1") return asked.bearer === undefined;
  if (rule === "CLIENT-SESSION-2") return sessions.has(asked.bearer ?? "");
  return rule !== "CLIENT-SESSION-3";
}

/** Whoever asks for a challenge launches for its creator, as far as anybody knows. */
function withLaunchOf(creator: string | undefined, reading: ClientReading): ClientReading {
  const record = {
    id: "",
    task: {},
    end: { kind: "overdue" } as const,
    beganAtMs: 0,
    endedAtMs: 0,
    fromTurn: 0,
    toTurn: reading.asked.length,
  };
  const launch = { record, result: undefined, creator: creator ?? "", secretKey: "", input: {} };
  return { ...reading, launches: [launch] };
}

/** Whether the end of a challenge was told before a proof of it was sent. */
function wasToldOfEnd({ turn, body }: Asked, { asked }: ClientReading): boolean {
  return asked.some(
    (one) =>
      one.operation === "verify" &&
      one.body.members["id"] === body.members["id"] &&
      (one.status === 200 || one.status === 401) &&
      one.turn.index < turn.index &&
      one.turn.answeredAtMs <= turn.atMs,
  );
}

function turnOf({ startedMs, endedMs, request, response }: ClientExchange, index: number): Turn {
  const [path = ""] = request.target.split("?", 1);
  return {
    index,
    operation: operationOf(request.method, path),
    request,
    answer: answerOf(response),
    tookEffect: response !== undefined,
    tasks: [],
    atMs: startedMs,
    answeredAtMs: endedMs,
    serviceMs: startedMs,
  };
}

function answerOf(response: ClientExchange["response"]): StagedAnswer {
  if (response === undefined) return { kind: "lost" };
  const { status, text } = response;
  return { kind: "answer", status, headers: [], text, body: jsonIn(text) };
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function given(exchange: ClientExchange | undefined): readonly ClientExchange[] {
  return exchange === undefined ? [] : [exchange];
}

function inOrder(exchanges: readonly ClientExchange[]): readonly ClientExchange[] {
  return [...new Set(exchanges)].sort((one, other) => one.startedMs - other.startedMs);
}
