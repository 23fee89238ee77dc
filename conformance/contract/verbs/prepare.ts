import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { fail, statusAndCode } from "../../engine/play/fail.ts";
import type { Captured, Scene, StepPlace } from "../../engine/play/scene.ts";
import { NotApplicable } from "../../engine/vectors/template.ts";
import type { Fields, OperationStep, Template } from "../../engine/vectors/vector.ts";
import { operationRequest } from "./requests.ts";

/** For whom the step was made; a challenge's creator answers for its proof. */
export function actorOf(scene: Scene, step: OperationStep): string | undefined {
  const { fields, verb } = step;
  if (verb === "verify") return scene.captured(fields["challenge"]).actor;
  const name = fields["for"] ?? fields["by"];
  return typeof name === "string" ? name : undefined;
}

/** The request that a step stands for; opens the session and reads the profile that it needs. */
export async function requestOf(scene: Scene, step: OperationStep, at: StepPlace): Promise<ServiceRequest> {
  const prepared = { ...at, step: `${at.step} (prepared)` };
  if (step.verb !== "platform" && step.verb !== "request") await ensureProfile(scene, prepared);
  const needsSession =
    step.verb === "build" && !["session", "bearer"].some((name) => Object.hasOwn(step.fields, name));
  const by = String(step.fields["by"]);
  if (needsSession && scene.bearerOf(by) === undefined) {
    const session = await openSession(scene, by, prepared);
    expectSuccess(scene, session, prepared);
  }
  const fields = fillFields(scene, step.fields);
  switch (step.verb) {
    case "challenge": {
      const creator = scene.keyPair(String(fields["for"])).address;
      const termsHash = (scene.profile?.["termsHash"] ?? null) as Template;
      return operationRequest("challenge", { creator, termsHash }, fields);
    }
    case "verify": {
      const challenge = scene.captured(step.fields["challenge"]);
      if (challenge.status !== 200)
        throw new NotApplicable("the service gave no challenge that could be proven");
      const id = (challenge.body["id"] ?? null) as Template;
      return operationRequest(
        "verify",
        { id, signatureBase64: proofFor(scene, challenge, fields["proof"]) },
        fields,
      );
    }
    case "build": {
      const key = fields["key"] === undefined ? scene.freshKey() : fields["key"];
      const keyText = typeof key === "string" ? key : undefined;
      const session = step.fields["session"];
      const bearer = session === undefined ? scene.bearerOf(by) : scene.captured(session).body["bearer"];
      return operationRequest("build", scene.launchRequest(by, keyText), fields, {
        ...(typeof bearer === "string" ? { bearer } : {}),
        ...(keyText === undefined ? {} : { key: keyText }),
      });
    }
    default: {
      const session = step.fields["session"];
      const bearer = session === undefined ? undefined : scene.captured(session).body["bearer"];
      return operationRequest(step.verb, undefined, fields, typeof bearer === "string" ? { bearer } : {});
    }
  }
}

/** Templates of a step filled in; names of exchanges (`challenge: $first`) stay as they are. */
function fillFields(scene: Scene, fields: Fields): Fields {
  const kept = ["challenge", "session", "for", "by"];
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, kept.includes(name) ? value : scene.fill(value)]),
  );
}

function proofFor(scene: Scene, challenge: Captured, template: Template | undefined): string {
  const { over = challenge.body["message"] } = (template ?? {}) as { readonly over?: unknown };
  const { by, message, signature, length, encoding } = (template ?? {}) as Record<string, never>;
  return scene.proof({
    signer: scene.keyPair(by ?? challenge.actor ?? "alice"),
    text: textToSign(over),
    ...(message === undefined ? {} : { message }),
    ...(signature === undefined ? {} : { signature }),
    ...(length === undefined ? {} : { length }),
    ...(encoding === undefined ? {} : { encoding }),
  });
}

/** A challenge message; nothing where it is no text, which the judge has told of. */
export function textToSign(message: unknown): string {
  return typeof message === "string" ? message : "";
}

/** Reads the profile, once in each life of the service. */
export async function ensureProfile(scene: Scene, at: StepPlace): Promise<void> {
  if (scene.profile !== undefined) return;
  const exchange = await scene.exchange({ method: "GET", path: "/v1/platform" }, at);
  expectSuccess(scene, exchange, at);
}

/** A challenge and its honest proof; gives the proof's exchange. */
export async function openSession(scene: Scene, actor: string, at: StepPlace): Promise<Exchange> {
  await ensureProfile(scene, at);
  const creator = scene.keyPair(actor).address;
  const termsHash = (scene.profile?.["termsHash"] ?? null) as Template;
  const challenge = await scene.exchange(operationRequest("challenge", { creator, termsHash }, {}), at);
  expectSuccess(scene, challenge, at);
  const id = (challenge.body["id"] ?? null) as Template;
  const signatureBase64 = proofFor(scene, { ...challenge, actor }, undefined);
  const session = await scene.exchange(operationRequest("verify", { id, signatureBase64 }, {}), at);
  scene.keepBearer(actor, session.status === 200 ? session.body["bearer"] : undefined);
  return session;
}

/** A step without an expectation must succeed; where it does not, the operation's own rule is broken. */
export function expectSuccess(scene: Scene, exchange: Exchange, at: StepPlace): void {
  if (exchange.status === 200) return;
  const rule = scene.stage.schemas.successRule(exchange.operation);
  throw fail(scene, at, rule === undefined ? scene.vector.rules : [rule], exchange, {
    message: "a valid request is answered 200",
    expected: "200",
    got: statusAndCode(exchange),
  });
}
