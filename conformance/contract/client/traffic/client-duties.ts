import type { Facts } from "../../../adapters/adapter.ts";
import type { Trace, Violation } from "../../../engine/client/trace.ts";
import { isOfServers } from "../../audit/unknowns.ts";
import { compareInputs, launchInput } from "../../model/launch-input.ts";
import { OUTCOMES, ROUTES, VERSION_PREFIX } from "../../operations.ts";
import { type Asked, type ClientReading, gotAnswer, readTrace } from "../judge/client-reading.ts";
import { judgeProofs } from "../judge/proofs.ts";
import { judgeRequests, judgeRoutes, judgeTermsHash } from "../judge/requests.ts";
import { judgeRetries } from "../judge/retries.ts";
import { judgeSecrets } from "../judge/secrets.ts";
import { judgeSessions } from "../judge/sessions.ts";
import { ClientHistory, heardOfEnd } from "./client-history.ts";
import type { SeenTurn } from "./seen-turn.ts";
import { type ShownKey, shownKey, withoutKey } from "./shown-key.ts";

/** A duty that a client did not keep. */
export interface NeglectedDuty {
  readonly violation: Violation;
  /** Whether it only warns: what is done so is legal. */
  readonly isAdvice: boolean;
  readonly turn: SeenTurn;
  /** Earlier ones without which it would be none. */
  readonly because: readonly SeenTurn[];
  /** Whom the request is for, where that is known. */
  readonly creator: string | undefined;
}

const ADVICE: ReadonlySet<string> = new Set(["CLIENT-ROUTE-2", "CLIENT-SESSION-4", "CLIENT-BUILD-5"]);

/**
 * The clients' rules that can be judged from traffic: what each request is by itself, and what it is beside those of its
 * challenge, its session and its key. Which launches a client was given, and which process sent what, no traffic tells: what
 * hangs on that is not judged.
 */
export class ClientDuties {
  readonly #facts: Pick<Facts, "metadataHosts" | "signedBytes">;
  readonly #clockDoubtMs: number;
  readonly #history = new ClientHistory();
  /** Whether a proof that was accepted holds over the message as it is stated or usual. */
  #bytesKnown: boolean;

  /**
   * @param signedBytes how messages are signed, where that is stated
   * @param clockDoubtMs how far the clocks of those who recorded may be apart
   */
  constructor(signedBytes: Facts["signedBytes"] | undefined, clockDoubtMs = 0) {
    this.#clockDoubtMs = clockDoubtMs;
    this.#bytesKnown = signedBytes !== undefined && signedBytes !== "adapter";
    this.#facts = { metadataHosts: ["", ""], signedBytes: signedBytes ?? "utf8" };
  }

  /** Takes in what began no earlier than what came before; gives the duties that it neglects. */
  take(turn: SeenTurn): readonly NeglectedDuty[] {
    const earlier = this.#history.earlier(turn);
    const turns = [...earlier, turn].map((one, index) => ({ ...one, index }));
    const reading = readTrace({ turns, tasks: [], waitScale: 1 } satisfies Trace);
    const asked = reading.asked.at(-1);
    if (asked === undefined || mayBeCutShort(asked)) return [];
    const violations = this.#judged(asked, reading, turn).filter((one) => one.turn === asked.turn.index);
    const key = isBeside(asked) ? undefined : this.#keyIn(asked);
    const shown = key === undefined ? turn : { ...turn, request: withoutKey(turn.request, key) };
    this.#history.note(asked, shown);
    const told = key === undefined ? violations : withKeyTold(violations, asked, reading, key);
    return told.map((violation) => ({
      violation: violation.rule === "CLIENT-SESSION-1" ? withoutSecret(violation) : violation,
      isAdvice: ADVICE.has(violation.rule),
      turn: shown,
      because: OF_HISTORY.has(violation.rule) ? earlier : [],
      creator: key?.address ?? asked.creator,
    }));
  }

  #judged(asked: Asked, reading: ClientReading, { maskedProof }: SeenTurn): readonly Violation[] {
    const { operation, creator } = asked;
    switch (operation) {
      case "challenge":
        return [
          ...judgeRequests(withLaunchOf(reading, creator)),
          ...this.#ofTerms(asked, reading),
          ...always(reading),
        ];
      case "verify":
        return [...judgeRequests(reading), ...this.#ofProof(asked, reading, maskedProof), ...always(reading)];
      case "build":
        return [
          ...judgeRequests(reading),
          ...judgeRetries(reading).filter(
            ({ rule }) => rule === "CLIENT-RETRY-1" && standsForOther(asked, reading, this.#clockDoubtMs),
          ),
          ...always(reading).filter((violation) => isOfSession(violation, asked, reading)),
        ];
      default:
        return [...judgeRequests(reading), ...always(reading)];
    }
  }

  /** The hash of a profile that nobody saw may be right: as long as the service takes it, or where it gave another before. */
  #ofTerms({ status }: Asked, reading: ClientReading): readonly Violation[] {
    return this.#history.knowsTerms && status !== 200 ? judgeTermsHash(reading) : [];
  }

  #ofProof(asked: Asked, reading: ClientReading, masked: SeenTurn["maskedProof"]): readonly Violation[] {
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
      return rule === "CLIENT-PROOF-4" && heardOfEnd(asked, reading, this.#clockDoubtMs);
    });
  }

  /** The private key that a request carries; where a service took a signature or a bearer, it is what it stands for. */
  #keyIn({ turn, body, bearer, creator: owner, status }: Asked): ShownKey | undefined {
    const { creator, mint, termsHash, signatureBase64 } = body.members;
    const addresses = [owner, creator, mint];
    const taken = status === 200 ? [signatureBase64, bearer] : [];
    return shownKey(
      turn.request,
      (address) => addresses.includes(address) || this.#history.isCreator(address),
      new Set([...addresses, termsHash, ...taken]),
    );
  }

  /** The service was started anew. */
  restarted(): void {
    this.#history.restarted();
  }
}

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
  const routes = reading.asked.flatMap((one) =>
    isBeside(one) ? [] : judgeRoutes({ ...reading, asked: [one] }),
  );
  return [...routes, ...judgeSessions(reading)];
}

/**
 * Whether a request has nothing to do with the contract: a browser's preflight, or a page of the same server, which may have
 * others than the service's, unless it is the service that says that it has no such route.
 */
function isBeside(asked: Asked): boolean {
  if (isOfServers(asked.turn.request.method)) return true;
  return !asked.path.startsWith(`${VERSION_PREFIX}/`) && !gotAnswer(asked, OUTCOMES.noExecution);
}

/** Of a build's session: one that nobody saw opened may be any; what is no bearer at all is none. */
function isOfSession({ rule }: Violation, asked: Asked, { sessions }: ClientReading): boolean {
  if (rule === "CLIENT-SESSION-1") return asked.bearer === undefined;
  if (rule === "CLIENT-SESSION-2") return sessions.has(asked.bearer ?? "");
  return rule !== "CLIENT-SESSION-3";
}

/** That a request carries a private key, and what else is wrong about it, told without the key. */
function withKeyTold(
  violations: readonly Violation[],
  asked: Asked,
  reading: ClientReading,
  { address, secretKey }: ShownKey,
): readonly Violation[] {
  const alone = { ...reading, asked: [asked] };
  const secrets = judgeSecrets(withLaunchOf(alone, address, secretKey));
  return [...secrets.violations, ...violations.map(secrets.withoutKeys)];
}

/** Whoever asks for a challenge launches for its creator, as far as anybody knows. */
function withLaunchOf(reading: ClientReading, creator = "", secretKey = ""): ClientReading {
  const record = {
    id: "",
    task: {},
    end: { kind: "overdue" } as const,
    beganAtMs: 0,
    endedAtMs: 0,
    fromTurn: 0,
    toTurn: reading.asked.length,
  };
  const launch = { record, result: undefined, creator, secretKey, input: {} };
  return { ...reading, launches: [launch] };
}

/** A request that nobody answered may have been broken off before it was whole. */
function mayBeCutShort({ status, operation, body }: Asked): boolean {
  const isUnread = body.kind !== "object" && body.kind !== "no-object";
  return status === undefined && operation in ROUTES && operation !== "platform" && isUnread;
}

/**
 * Whether a key stands for other input: the service says so, or took both in one life. After a restart any key may be used for
 * other input, and no session is left (contract, "What the service does").
 */
function standsForOther(build: Asked, { asked }: ClientReading, doubtMs: number): boolean {
  if (gotAnswer(build, OUTCOMES.conflict)) return true;
  if (build.status !== 200 && build.status !== OUTCOMES.rebuild.status) return false;
  const opened = asked.find(
    ({ operation, answer }) => operation === "verify" && answer["bearer"] === build.bearer,
  );
  const isOfOneLife = (earlier: Asked) =>
    opened === undefined
      ? earlier.bearer === build.bearer
      : opened.turn.answeredAtMs + doubtMs <= earlier.turn.atMs;
  return asked.some(
    (earlier) =>
      earlier.operation === "build" &&
      earlier !== build &&
      isOtherInput(earlier, build) &&
      isOfOneLife(earlier),
  );
}

/** Whether no service takes two builds to hold the same input: some fold what Unicode holds equivalent. */
function isOtherInput(one: Asked, other: Asked): boolean {
  const [before, now] = [launchInput(one.body.members), launchInput(other.body.members)];
  return compareInputs(before, now).sameness === "different";
}
