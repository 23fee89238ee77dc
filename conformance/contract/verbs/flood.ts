import type { Exchange } from "../../engine/play/exchange.ts";
import { fail, isFull, statusAndCode } from "../../engine/play/fail.ts";
import type { Captured, Scene, StepPlace } from "../../engine/play/scene.ts";
import type { FloodStep, Template } from "../../engine/vectors/vector.ts";
import { ensureProfile, textToSign } from "./prepare.ts";
import { operationRequest } from "./requests.ts";

/** How many entries the kit tries to store where the bound is not known, and at the most where it is. */
const TRIES = {
  challenges: { unknown: 1500, most: 5000 },
  sessions: { unknown: 150, most: 300 },
  drafts: { unknown: 150, most: 600 },
} as const;
const BUILDS_PER_MINUTE = 5;
/** More than this from one creator and a service may rightly ask for patience before its store is full. */
const CHALLENGES_PER_PERSON = 5;

/**
 * Fills a store until the service says that it is full (contract, "Limits"; the bound itself is not shown). Reaching
 * the bound must be 429 `OFFLINE_CAPACITY`; not reaching it is recorded and no failure, unless the implementation
 * itself states a bound that was passed.
 */
export async function flood(scene: Scene, step: FloodStep, at: StepPlace): Promise<void> {
  await ensureProfile(scene, at);
  scene.flooded = true;
  const rules = step.rules ?? scene.vector.rules;
  const stated = scene.connection.info.facts.capacity[step.store];
  const { unknown, most } = TRIES[step.store];
  const tries = Math.min(stated === undefined ? unknown : stated + 1, most);
  const store = { challenges: storeChallenge, sessions: storeSession, drafts: storeDraft }[step.store];
  for (let count = 0; count < tries; count++) {
    const { exchange, ofStore } = await store(scene, count, at);
    if (exchange.status === 200) continue;
    if (!isFull(exchange)) {
      const message = "a full store is answered 429 OFFLINE_CAPACITY";
      throw fail(scene, at, rules, exchange, {
        message,
        expected: "200, or 429 OFFLINE_CAPACITY",
        got: statusAndCode(exchange),
      });
    }
    scene.observations.push({ point: step.open, reading: ofStore ? "reached" : "not-reached" });
    if (step.as !== undefined) scene.captures.set(step.as, exchange);
    return;
  }
  if (stated !== undefined && tries > stated) {
    const message = `the bound of ${stated} ${step.store} that the implementation states is kept`;
    throw fail(scene, at, rules, scene.lastExchange, {
      message,
      expected: "429 OFFLINE_CAPACITY",
      got: "200",
    });
  }
  scene.observations.push({ point: step.open, reading: "not-reached" });
  if (step.as !== undefined && scene.lastExchange !== undefined)
    scene.captures.set(step.as, scene.lastExchange);
}

/** The answer that ended a try, and whether it came from the store that is to be filled. */
interface Try {
  readonly exchange: Exchange;
  readonly ofStore: boolean;
}

async function storeChallenge(scene: Scene, count: number, at: StepPlace): Promise<Try> {
  const person = Math.floor(count / CHALLENGES_PER_PERSON);
  return { exchange: await challenge(scene, `crowd ${person}`, at), ofStore: true };
}

async function storeSession(scene: Scene, count: number, at: StepPlace): Promise<Try> {
  const actor = `crowd ${count}`;
  const issued = await challenge(scene, actor, at);
  if (issued.status !== 200) return { exchange: issued, ofStore: false };
  const { id, message } = issued.body;
  const signatureBase64 = scene.proof({ signer: scene.keyPair(actor), text: textToSign(message) });
  const exchange = await scene.exchange(
    operationRequest("verify", { id: (id ?? null) as Template, signatureBase64 }, {}),
    at,
  );
  if (exchange.status === 200) scene.keepBearer(actor, exchange.body["bearer"]);
  return { exchange, ofStore: true };
}

async function storeDraft(scene: Scene, count: number, at: StepPlace): Promise<Try> {
  const person = Math.floor(count / BUILDS_PER_MINUTE);
  const actor = `crowd ${person}`;
  if (scene.bearerOf(actor) === undefined) {
    const { exchange } = await storeSession(scene, person, at);
    if (exchange.status !== 200) return { exchange, ofStore: false };
  }
  const key = scene.freshKey();
  const bearer = scene.bearerOf(actor);
  const request = operationRequest(
    "build",
    scene.launchRequest(actor, key),
    {},
    { key, ...(bearer === undefined ? {} : { bearer }) },
  );
  return { exchange: await scene.exchange(request, at), ofStore: true };
}

async function challenge(scene: Scene, actor: string, at: StepPlace): Promise<Captured> {
  const creator = scene.keyPair(actor).address;
  const termsHash = (scene.profile?.["termsHash"] ?? null) as Template;
  return scene.exchange(operationRequest("challenge", { creator, termsHash }, {}), at);
}
