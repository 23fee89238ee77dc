import { parseOutcome } from "../../engine/outcome.ts";
import { writeSuite } from "../../engine/search/write-suite.ts";
import { requestJson } from "../judge/request-json.ts";
import { requestFields } from "../request-fields.ts";
import type { Finding } from "./findings.ts";
import type { Seen, SeenExchange } from "./seen.ts";

/** A finding as a suite of one vector, or the reason why it cannot be one. */
export type FindingVector = { readonly vector: string } | { readonly reason: string };

type Entry = Record<string, unknown>;

/** Actors that stand for the first and the second creator of a finding. */
const CAST = ["alice", "mallory"] as const;

/** A challenge, its proof, the five builds that every limiter serves at once, and one more. */
const MOST_COUNTED = 8;

/** Reason why an exchange cannot be replayed. */
class NotReplayable extends Error {
  override readonly name = "NotReplayable";
}

/**
 * Writes a finding as a vector: the few exchanges that show it, asked again with key pairs of the kit in place of those that
 * were recorded, which nobody holds.
 */
export function findingVector(finding: Finding): FindingVector {
  try {
    return { vector: new Script(finding).written() };
  } catch (error) {
    if (error instanceof NotReplayable) return { reason: error.message };
    throw error;
  }
}

/** The steps of a vector, as they are put together. */
class Script {
  readonly #finding: Finding;
  readonly #steps: Entry[] = [];
  readonly #actors = new Map<string, string>();
  /** Steps by what their answers gave out: a challenge's id, a bearer. */
  readonly #challenges = new Map<string, Entry>();
  readonly #sessions = new Map<string, Entry>();
  readonly #owners = new Map<string, string>();
  #named = 0;

  constructor(finding: Finding) {
    this.#finding = finding;
  }

  written(): string {
    const { because, rules, seen } = this.#finding;
    if (rules.some((rule) => rule.startsWith("LIMIT-")) && because.length > MOST_COUNTED)
      throw new NotReplayable("how many builds are served before hangs on how a limiter counts");
    let before: Seen | undefined;
    for (const one of because) {
      if (one.kind === "restart") throw new NotReplayable("the service was restarted meanwhile");
      const passedMs = before === undefined ? 0 : one.moment.earliest - before.moment.latest;
      if (passedMs >= 1) this.#steps.push({ advance: `${Math.round(passedMs)}ms` });
      const step = this.#stepOf(one);
      step["expect"] = one === seen ? this.#expected() : expectedBefore(one);
      if (step["expect"] === undefined) delete step["expect"];
      this.#steps.push(step);
      before = one;
    }
    const [rule = ""] = rules;
    const id = `recorded-${rule.toLowerCase()}`;
    const title = `the service keeps ${rule}, which it broke in recorded traffic`;
    return writeSuite("recorded", [{ id, title, rules: [...rules], steps: this.#steps }]);
  }

  #stepOf(seen: SeenExchange): Entry {
    const { operation, request } = seen.exchange;
    if (operation === "challenge") return this.#challenge(seen);
    if (operation === "verify") return this.#verify(seen);
    if (operation === "build") return this.#build(seen);
    const { method, path, body } = request;
    if (body !== undefined && typeof body !== "string")
      throw new NotReplayable("the body of a request is no text");
    if (request.bearer !== undefined || request.authorization !== undefined)
      throw new NotReplayable("a request with a bearer went to no operation");
    return { request: { method, path, ...(body === undefined ? {} : { body }) } };
  }

  #challenge({ exchange }: SeenExchange): Entry {
    const { creator } = membersOf(exchange.request, "challenge");
    const step: Entry = { challenge: { for: this.#actor(creator) } };
    const { id } = exchange.body;
    if (typeof id === "string") {
      this.#challenges.set(id, step);
      this.#owners.set(id, creator ?? "");
    }
    return step;
  }

  #verify({ exchange, told }: SeenExchange): Entry {
    const { id = "" } = membersOf(exchange.request, "verify");
    if (told === "unknown") throw new NotReplayable("the signature is masked");
    let challenge = this.#challenges.get(id);
    if (challenge === undefined) {
      // It was issued before the recorded exchanges.
      challenge = { challenge: { for: CAST[0] } };
      this.#challenges.set(id, challenge);
      this.#steps.unshift(challenge);
    }
    const isHonest = this.#isHonest(exchange.status, told);
    const proof = isHonest ? {} : { proof: { by: CAST[1] } };
    const step: Entry = { verify: { challenge: this.#name(challenge), ...proof } };
    const { bearer } = exchange.body;
    if (typeof bearer === "string") {
      this.#sessions.set(bearer, step);
      this.#owners.set(bearer, this.#owners.get(id) ?? "");
    }
    return step;
  }

  /** An accepted proof was honest, unless its acceptance is the finding. */
  #isHonest(status: number | undefined, told: SeenExchange["told"]): boolean {
    if (told !== undefined) return told === "holds";
    const isProof = this.#finding.rules.some((rule) => /^VERIFY-(?:8|9|10|30|31)$/.test(rule));
    return status === 200 && !isProof;
  }

  #build({ exchange }: SeenExchange): Entry {
    const { request } = exchange;
    const { creator, uri = "", ...texts } = membersOf(request, "build");
    const { bearer, idempotencyKey } = request;
    const session = bearer === undefined ? undefined : this.#sessions.get(bearer);
    const owner = bearer === undefined ? undefined : this.#owners.get(bearer);
    const by = this.#actor(owner === undefined || owner === "" ? creator : owner);
    const asked = this.#actor(creator);
    const isOnUri = this.#finding.rules.some((rule) => /^LAUNCH-(?:29|30|31|32|33|34)$/.test(rule));
    const fields = {
      by,
      ...(session === undefined ? {} : { session: this.#name(session) }),
      ...(bearer === undefined ? { bearer: null } : {}),
      key: idempotencyKey ?? null,
      ...(asked === by ? {} : { creator: `$${asked}` }),
      ...texts,
      uri: isOnUri ? uri : uri.replace(/^https:\/\/[^/?#]*\//, `https://\${hostA}/`),
    };
    return { build: fields };
  }

  /** Expectation of the last step. */
  #expected(): unknown {
    const { differences, expected, rules } = this.#finding;
    if (differences.some(({ path }) => path === "status")) {
      const outcome = parseOutcome(expected);
      if (typeof outcome === "string") throw new NotReplayable("the contract allows several answers there");
      return /^\d+$/.test(expected) ? Number(expected) : expected;
    }
    if (!rules.some((rule) => rule.startsWith("IDEMPOTENCY-"))) return undefined;
    const first = this.#steps.find((step) => "build" in step);
    return first === undefined ? undefined : { is: 200, "same-as": this.#name(first) };
  }

  #actor(creator: string | undefined): string {
    const known = this.#actors.get(creator ?? "") ?? CAST[this.#actors.size];
    if (known === undefined) throw new NotReplayable("more than two creators are about it");
    this.#actors.set(creator ?? "", known);
    return known;
  }

  /** Reference to a step. */
  #name(step: Entry): string {
    if (step["as"] === undefined) {
      this.#named += 1;
      step["as"] = `step${this.#named}`;
    }
    return `$${String(step["as"])}`;
  }
}

/** Expectation of an earlier step, unless it is a success. */
function expectedBefore({ exchange: { operation, status, body } }: SeenExchange): unknown {
  if (status === 200) return undefined;
  if (status === 401 && operation === "build")
    throw new NotReplayable("a session that was refused before is part of it");
  return `${status} ${String(body["code"])}`;
}

/** The members of a request, where they are texts and all that the operation has. */
function membersOf(
  request: SeenExchange["exchange"]["request"],
  operation: "challenge" | "verify" | "build",
): Readonly<Record<string, string>> {
  const members = requestJson(request);
  const names = requestFields(operation).names;
  const isPlain =
    members !== undefined &&
    Object.keys(members).length === names.length &&
    names.every((name) => typeof members[name] === "string");
  if (!isPlain) throw new NotReplayable("the body of a request is not of the usual form");
  return members as Readonly<Record<string, string>>;
}
