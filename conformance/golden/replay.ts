/** Replays fixtures on an implementation, and compares its responses with the recorded ones. */
import {
  type Adapter,
  ImplementationError,
  ImplementationLost,
  type Request,
  type Service,
  Unsupported,
} from "../adapters/adapter.ts";
import { type JsonObject, valueAt } from "../adapters/json.ts";
import { operationOf } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { readEnvelope } from "../contract/exchange.ts";
import { keyPairFrom } from "../contract/key-pair.ts";
import { formatOutcomes, matchesOutcome } from "../contract/outcome.ts";
import { proofText } from "../contract/proof.ts";
import type {
  ExchangeStep,
  Fixture,
  FixtureFolder,
  FixtureProof,
  FixtureRequest,
  Substitution,
} from "./fixture.ts";
import { compareResponses, formatDifferences, segmentsOf } from "./matchers.ts";

/** Result of one fixture. */
export interface Replay {
  readonly name: string;
  /** The first response that neither the fixture nor the contract allows. */
  readonly drift?: string;
  /** Why the fixture was not replayed to its end. */
  readonly skipped?: string;
  /** Responses that differ from the fixture as the contract allows. */
  readonly allowed: readonly string[];
}

/** Ends a fixture that cannot be replayed on this implementation. */
class NotReplayable extends Error {}

/**
 * Replays each fixture on a new service.
 * @throws {ImplementationError} if the service cannot be restarted, or the implementation was given up
 */
export async function replayFixtures(
  { index, fixtures, altered }: FixtureFolder,
  contract: Contract,
  adapter: Adapter,
): Promise<readonly Replay[]> {
  const { implementation, capabilities } = adapter.info;
  if (!capabilities.restart)
    throw new ImplementationError(
      "fixtures can be replayed only on a service that can be restarted (capability restart)",
    );
  const { name, version } = index.implementation;
  const isRecorded = implementation.name === name && implementation.version === version;
  const isSame = isRecorded && capabilities.clock === index.clock;
  const replays: Replay[] = [];
  for (const fixture of fixtures) {
    const replay = await new FixtureReplay(fixture, contract, adapter, isSame).play();
    const isAltered = altered.has(fixture.name) && replay.drift === undefined;
    replays.push(
      isAltered ? { ...replay, drift: "the file does not have the digest of the index (sha256)" } : replay,
    );
  }
  return replays;
}

/** The replay of one fixture. */
class FixtureReplay {
  readonly #fixture: Fixture;
  readonly #contract: Contract;
  readonly #adapter: Adapter;
  /** Whether the fixture was recorded from this implementation. */
  readonly #isSame: boolean;
  /** Bodies of the responses, by step. */
  readonly #bodies = new Map<number, JsonObject>();
  readonly #allowed: string[] = [];

  constructor(fixture: Fixture, contract: Contract, adapter: Adapter, isSame: boolean) {
    this.#fixture = fixture;
    this.#contract = contract;
    this.#adapter = adapter;
    this.#isSame = isSame;
  }

  async play(): Promise<Replay> {
    const { name, steps } = this.#fixture;
    const end = (reason: Partial<Replay>): Replay => ({ name, allowed: this.#allowed, ...reason });
    const { clock } = this.#adapter.info.capabilities;
    if (clock === "real" && steps.some(({ kind }) => kind === "advance"))
      return end({ skipped: "needs a clock that can be moved (capability clock: virtual)" });
    let service: Service | undefined;
    try {
      service = await this.#adapter.start(steps[0]?.nowMs ?? 0);
      for (const step of steps) {
        if (step.kind === "advance") await service.advance(step.ms);
        else if (step.kind === "restart") {
          await service.close();
          service = await this.#adapter.start(step.nowMs);
        } else {
          const drift = await this.#exchange(step, service);
          if (drift !== undefined) return end({ drift: `step ${step.step}: ${drift}` });
        }
      }
      return end({});
    } catch (error) {
      if (error instanceof ImplementationLost) throw error;
      if (error instanceof ImplementationError) return end({ drift: error.message });
      if (error instanceof NotReplayable || error instanceof Unsupported)
        return end({ skipped: error.message });
      throw error;
    } finally {
      await service?.close().catch(() => {});
    }
  }

  /** Sends the request of a step. Returns how the response drifted, or undefined. */
  async #exchange(step: ExchangeStep, service: Service): Promise<string | undefined> {
    const { request, response, matchers = [], accepts = [], open, sameAs } = step;
    const { status, body } = readEnvelope(await service.handle(await this.#requestOf(step)));
    this.#bodies.set(step.step, body);
    const outcomeOf = (one: { readonly status: number | undefined; readonly body: JsonObject }) =>
      [one.status ?? "no status", one.body["code"]].filter((part) => part !== undefined).join(" ");
    if (status !== response.status || body["code"] !== response.body["code"]) {
      const [was, is] = [outcomeOf(response), outcomeOf({ status, body })];
      if (!matchesOutcome({ status, body }, ...accepts)) {
        const others = accepts.length === 0 ? "" : `; allowed: ${formatOutcomes(...accepts)}`;
        return `was ${was}, is ${is}${others}`;
      }
      this.#allowed.push(`step ${step.step}: ${is} in place of ${was} (open point ${open})`);
      return undefined;
    }
    const differences = compareResponses(response.body, body, matchers, this.#isSame);
    if (differences.length > 0) return formatDifferences(differences);
    const original = this.#bodies.get(sameAs ?? 0);
    if (original === undefined) return undefined;
    const named = (one: JsonObject) =>
      status === 200 ? this.#contract.responses.namedMembers(operationOf(request), one) : one;
    const changes = compareResponses(named(original), named(body), [], true);
    return changes.length === 0 ? undefined : `differs from step ${sameAs}: ${formatDifferences(changes)}`;
  }

  async #requestOf({ request, substitutions = [], step }: ExchangeStep): Promise<Request> {
    const members = Object.entries(request);
    for (const substitution of substitutions) {
      const replacement = await this.#replacement(substitution, step);
      for (const member of members) member[1] = member[1].replaceAll(substitution.value, () => replacement);
    }
    const { bodyBase64, ...filled } = Object.fromEntries(members) as unknown as FixtureRequest;
    if (bodyBase64 === undefined) return filled;
    return { ...filled, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
  }

  /** Returns the text that replaces a recorded one. @throws {NotReplayable} if there is none */
  async #replacement(substitution: Substitution, step: number): Promise<string> {
    if ("proof" in substitution) return this.#proof(substitution.proof, step);
    if ("step" in substitution) return this.#member(substitution.step, substitution.pointer, step);
    const value = valueAt(this.#adapter.facts, segmentsOf(substitution.fact));
    if (typeof value === "string") return value;
    throw new NotReplayable(`step ${step} needs the fact ${substitution.fact.slice(1)}`);
  }

  #member(from: number, pointer: string, step: number): string {
    const value = valueAt(this.#bodies.get(from), segmentsOf(pointer));
    if (typeof value === "string") return value;
    throw new NotReplayable(`step ${step} needs ${pointer.slice(1)} of step ${from}, which has none`);
  }

  async #proof({ by, step: from, pointer, ...changes }: FixtureProof, step: number): Promise<string> {
    const key = this.#fixture.keys[by];
    if (key === undefined) throw new NotReplayable(`step ${step} needs a key of ${by}`);
    const text = this.#member(from, pointer, step);
    const bytes = await this.#adapter.bytesToSign(text);
    return proofText({ signer: keyPairFrom(Buffer.from(key.privateKeyHex, "hex")), text, bytes, ...changes });
  }
}
