import {
  type Adapter,
  AdapterFault,
  type Connection,
  type Facts,
  NotTransportable,
  type ServiceRequest,
} from "../adapters/adapter.ts";
import { responseSchemas } from "../contract/judge/response-schemas.ts";
import { keyPairFrom } from "../contract/keys/key-pair.ts";
import { proofText } from "../contract/keys/proof.ts";
import { CONTRACT_ID, operationOf, ROUTES } from "../contract/operations.ts";
import { formatOutcome, matchesOutcome } from "../engine/outcome.ts";
import { readEnvelope } from "../engine/play/exchange.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { answerDifferences, differencesLine } from "./differences.ts";
import type { ExchangeStep, Fixture, GoldenProof, GoldenStep, JsonObject, Substitution } from "./fixture.ts";
import type { GoldenFolder } from "./golden-files.ts";
import { atPointer } from "./matchers.ts";
import { serviceRequest, substitute } from "./requests.ts";

/** What came of one fixture's replay. */
export interface Replay {
  readonly name: string;
  /** The first step that was answered otherwise than the fixture and the contract have it, in one line. */
  readonly drift?: string;
  /** Why the rest, or all, was not replayed. */
  readonly left?: string;
  /** Steps whose answer is another one that the contract allows as well, each in a line. */
  readonly choices: readonly string[];
}

/** A step that cannot be replayed here; the fixture ends before it. */
class NotReplayable extends Error {
  override readonly name = "NotReplayable";
}

/**
 * Replays every fixture of a folder, each on a service of its own, and ends the adapter.
 * @throws {AdapterFault} where the implementation cannot be reached or breaks
 */
export async function replayFixtures(
  { index, fixtures }: Pick<GoldenFolder, "index" | "fixtures">,
  adapter: Adapter,
  time: RealTime,
): Promise<readonly Replay[]> {
  try {
    const connection = await adapter.connect({ id: CONTRACT_ID, identity: { request: ROUTES.platform } });
    const { implementation, capabilities } = connection.info;
    if (!capabilities.restart)
      throw new AdapterFault(
        "no fixture can be replayed on a service that cannot be restarted (capability restart)",
        { fatal: true },
      );
    const { name, version } = index.implementation;
    const recorded = implementation.name === name && implementation.version === version;
    const replays: Replay[] = [];
    for (const fixture of fixtures) {
      replays.push(
        await replayFixture(fixture, connection, recorded && capabilities.clock === index.clock, time),
      );
    }
    await connection.close();
    return replays;
  } finally {
    await adapter.close();
  }
}

/**
 * Sends the requests of a fixture to a service of its own, with bearers, ids and proofs of this run in place of the
 * recorded ones, and holds each answer to the recorded one.
 *
 * @param same whether this is the implementation of which the fixture was recorded, so that its own values count too
 */
async function replayFixture(
  fixture: Fixture,
  connection: Connection,
  same: boolean,
  time: RealTime,
): Promise<Replay> {
  const { name, steps } = fixture;
  const { capabilities, facts } = connection.info;
  const choices: string[] = [];
  const ended = (end: Partial<Replay>): Replay => ({ name, choices, ...end });
  const real = capabilities.clock === "real";
  if (real && steps.some(({ kind }) => kind === "advance"))
    return ended({ left: "needs a clock that can be moved (capability clock: virtual)" });
  const startMs = (step: GoldenStep | undefined) => (real ? time.now() : (step?.nowMs ?? 0));
  await connection.start(startMs(steps[0]));
  const answers = new Map<number, JsonObject>();
  for (const step of steps) {
    if (step.kind === "advance") await connection.advance(step.ms);
    if (step.kind === "restart") await connection.start(startMs(step));
    if (step.kind !== "exchange") continue;
    let request: ServiceRequest;
    try {
      const signed = await bytesToldFor(step, answers, connection);
      request = requestOf(step, fixture, answers, facts, signed);
    } catch (error) {
      if (error instanceof NotReplayable) return ended({ left: `${error.message}, for step ${step.step}` });
      throw error;
    }
    const answer = await answerTo(request, connection).catch(endOf);
    if (answer instanceof NotTransportable)
      return ended({ left: `step ${step.step} cannot be sent: ${answer.message}` });
    if (answer instanceof AdapterFault)
      return ended({ drift: `step ${step.step} is not answered: ${answer.message}` });
    answers.set(step.step, answer.body);
    const verdict = judge(step, answer, { same, earlier: answers.get(step.sameAs ?? 0) });
    if (verdict?.drift !== undefined) return ended(verdict);
    if (verdict !== undefined) choices.push(verdict.choice);
  }
  return ended({});
}

type Answer = Pick<ReturnType<typeof readEnvelope>, "status" | "body">;

async function answerTo(request: ServiceRequest, connection: Connection): Promise<Answer> {
  return readEnvelope(await connection.handle(request));
}

/** What ends one fixture's replay and leaves the connection good for the next. */
function endOf(error: unknown): NotTransportable | AdapterFault {
  if (error instanceof NotTransportable || (error instanceof AdapterFault && !error.fatal)) return error;
  throw error;
}

/** Nothing where the answer is the recorded one. */
function judge(
  { step, request, response, matchers, accepts, open, sameAs }: ExchangeStep,
  { status, body }: Answer,
  { same, earlier }: { readonly same: boolean; readonly earlier: JsonObject | undefined },
): { readonly drift: string } | { readonly choice: string; readonly drift?: never } | undefined {
  const { named } = responseSchemas();
  const outcome = (given: Answer) =>
    [given.status, given.body["code"]].filter((part) => part !== undefined).join(" ");
  if (status !== response.status || body["code"] !== response.body["code"]) {
    const [was, is] = [outcome(response), outcome({ status, body })];
    const allowed = accepts?.some((accepted) => matchesOutcome(accepted, status, body["code"]));
    if (allowed) return { choice: `step ${step}: ${is}, in the fixture ${was} (open point ${open})` };
    const also = accepts === undefined ? "" : `; ${accepts.map(formatOutcome).join(", ")} are allowed`;
    return { drift: `step ${step}: was ${was}, is ${is}${also}` };
  }
  const differences = answerDifferences(response.body, body, matchers ?? [], same);
  if (differences.length > 0) return { drift: `step ${step}, ${differencesLine(differences)}` };
  // Members that the contract does not name may be others each time.
  const held = (answer: JsonObject) =>
    status === 200 ? named(operationOf(request.method, request.path), answer) : answer;
  const repeated = earlier === undefined ? [] : answerDifferences(held(earlier), held(body), [], true);
  if (repeated.length === 0) return undefined;
  return { drift: `step ${step} does not repeat step ${sameAs}: ${differencesLine(repeated)}` };
}

/** What is signed for the message that a step's proof is over, where the adapter has to be asked. */
async function bytesToldFor(
  { substitutions = [] }: ExchangeStep,
  answers: ReadonlyMap<number, JsonObject>,
  connection: Connection,
): Promise<Uint8Array | undefined> {
  if (connection.info.facts.signedBytes !== "adapter") return undefined;
  for (const substitution of substitutions) {
    if (!("proof" in substitution)) continue;
    const { step, pointer } = substitution.proof;
    const text = atPointer(answers.get(step), pointer);
    if (typeof text === "string" && pointer === "/message") return connection.bytesToSign(text);
  }
  return undefined;
}

function requestOf(
  { request, substitutions = [] }: ExchangeStep,
  fixture: Fixture,
  answers: ReadonlyMap<number, JsonObject>,
  facts: Facts,
  signed: Uint8Array | undefined,
): ServiceRequest {
  const member = (step: number, pointer: string) => {
    const value = atPointer(answers.get(step), pointer);
    if (typeof value !== "string") throw new NotReplayable(`step ${step} gave no ${pointer}`);
    return value;
  };
  const now = (substitution: Substitution) => {
    if ("proof" in substitution) return proofOf(substitution.proof, fixture, member, facts, signed);
    if ("step" in substitution) return member(substitution.step, substitution.pointer);
    const value = atPointer(facts, substitution.fact);
    if (typeof value !== "string") throw new NotReplayable(`there is no fact ${substitution.fact}`);
    return value;
  };
  const values = substitutions.map((one) => [one.value, now(one)] as const);
  return serviceRequest(substitute(request, values));
}

function proofOf(
  { by, step, pointer, ...changes }: GoldenProof,
  { keys }: Fixture,
  member: (step: number, pointer: string) => string,
  { signedBytes }: Facts,
  signed: Uint8Array | undefined,
): string {
  const key = keys[by];
  if (key === undefined) throw new NotReplayable(`there is no key of ${by}`);
  const signer = keyPairFrom(Buffer.from(key.privateKeyHex, "hex"));
  const bytes = signed === undefined ? {} : { bytes: signed };
  return proofText({ signer, text: member(step, pointer), signedBytes, ...bytes, ...changes });
}
