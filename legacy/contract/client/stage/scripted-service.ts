import type { Connection, ServiceRequest, SignedBytes } from "../../../adapters/adapter.ts";
import type { Staged } from "../../../engine/client/client-contract.ts";
import type { ClientRequest, StagedAnswer } from "../../../engine/client/trace.ts";
import { requestJson } from "../../judge/request-json.ts";
import { type OperationName, OUTCOMES, operationOf } from "../../operations.ts";
import type { Deeds, Disturbance } from "../script/scenario.ts";
import { JSON_SPELLINGS } from "../script/spellings.ts";
import { Disguise } from "./disguise.ts";
import { deedsOf, ScriptCourse } from "./script-course.ts";
import type { ServiceIdentity } from "./service-identity.ts";
import { type NamedValues, shapedBody } from "./shape-answer.ts";
import { callOf } from "./stage-call.ts";

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer, and what of the script came to pass with it. */
export interface Scripted extends Pick<Staged, "operation" | "answer" | "tookEffect"> {
  readonly came: readonly Disturbance[];
}

/** What a scripted service is made of. */
export interface ServiceParts {
  /** The reference, started. */
  readonly connection: Connection;
  readonly identity: ServiceIdentity;
  readonly names: NamedValues;
  readonly signedBytes: SignedBytes;
  readonly disturbances: readonly Disturbance[];
  readonly startMs: number;
}

/** A code of what is said where the service itself breaks; the contract has none. */
const BROKEN = { code: "INTERNAL_ERROR", productionApproved: false };

/** Statuses that a service gives before it has looked at a request. */
const AT_ONCE: readonly number[] = [OUTCOMES.full.status, OUTCOMES.tooLarge.status];

const LOST: StagedAnswer = { kind: "lost" };

/** The reference in disguise, and what a script does to it. */
export class ScriptedService {
  readonly #connection: Connection;
  readonly #names: NamedValues;
  readonly #course: ScriptCourse;
  readonly #disguise: Disguise;
  /** Keys that are in use, by creator and key, and what a build under one is told. */
  readonly #takenKeys = new Map<string, NonNullable<Deeds["refuse"]>>();
  #nowMs: number;
  /** Settles once the reference has done what it was told so far: it is asked one thing after the other. */
  #done: Promise<unknown> = Promise.resolve();

  constructor({ connection, identity, names, signedBytes, disturbances, startMs }: ServiceParts) {
    this.#connection = connection;
    this.#names = names;
    this.#course = new ScriptCourse(disturbances);
    this.#disguise = new Disguise(identity, names.people, signedBytes);
    this.#nowMs = startMs;
  }

  /** The service's clock, in ms since the Unix epoch. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** What of the script did not come to pass, in words; undefined where all did. */
  get unreached(): string | undefined {
    return this.#course.unreached();
  }

  async answer(request: ClientRequest): Promise<Scripted> {
    const call = callOf(request);
    const operation = operationOf(call.method, call.path);
    if (operation === "other") {
      const answer = answerOf(await this.#ask(operation, call), {});
      return { operation, answer, tookEffect: true, came: [] };
    }
    const active = this.#course.next(operation, this.#disguise.personAsking(operation, call));
    const scripted = { operation, ...(await this.#disturbed(operation, call, active)) };
    this.#course.came(scripted.came);
    return scripted;
  }

  async #disturbed(
    operation: OperationName,
    call: ServiceRequest,
    active: readonly Disturbance[],
  ): Promise<Omit<Scripted, "operation">> {
    const does = deedsOf(active);
    const { refuse, status, effect, lose, passMs } = does;
    const unheard = { came: active, tookEffect: false };
    const acted = { came: active, tookEffect: true };
    if (does.restart === true) await this.restart();
    if (lose === "request") return { ...unheard, answer: LOST };
    if (refuse !== undefined && AT_ONCE.includes(refuse.status))
      return { ...unheard, answer: this.#changed(refusalOf(refuse), does) };
    if (status !== undefined && effect !== true)
      return { ...unheard, answer: this.#changed({ status, body: BROKEN }, does) };
    if (refuse !== undefined) await this.#prepareRefusal(operation, call, refuse);
    const theirs = await this.#ask(operation, call);
    const refused =
      theirs.status === OUTCOMES.served.status ? this.#refusal(operation, call, refuse) : undefined;
    if (refused !== undefined) return { ...unheard, answer: this.#changed(refused, does) };
    if (passMs !== undefined) await this.advance(passMs);
    if (lose === "answer") return { ...acted, answer: LOST };
    if (status !== undefined) return { ...acted, answer: this.#changed({ status, body: BROKEN }, does) };
    return this.#answered(operation, call, theirs, active);
  }

  /** The reference's own answer, as this service gives it. */
  #answered(
    operation: OperationName,
    call: ServiceRequest,
    theirs: Envelope,
    active: readonly Disturbance[],
  ): Omit<Scripted, "operation"> {
    const does = deedsOf(active);
    if (theirs.status === OUTCOMES.served.status) {
      const ours = this.#disguise.fromReference(operation, call, theirs.body, does);
      const body = shapedBody(ours, does, this.#names);
      const came = active.filter((one) => one.does.refuse === undefined);
      return { came, tookEffect: true, answer: answerOf({ ...theirs, body }, does) };
    }
    const came = active.filter((one) => changesAnyAnswer(one.does) || isTheRefusal(one.does, theirs));
    return { came, tookEffect: true, answer: this.#changed(theirs, does) };
  }

  /** What is no success, with the members that the script adds to any answer: not those within what it does not have. */
  #changed({ status, body }: Envelope, does: Deeds): StagedAnswer {
    const add = Object.fromEntries(Object.entries(does.add ?? {}).filter(([path]) => !path.includes(".")));
    return answerOf({ status, body: shapedBody(body, { add }, this.#names) }, does);
  }

  /** Brings the service into the state in which it refuses by itself, where there is such. */
  async #prepareRefusal(
    operation: OperationName,
    call: ServiceRequest,
    { status }: NonNullable<Deeds["refuse"]>,
  ): Promise<void> {
    if (status !== OUTCOMES.unauthorized.status) return;
    if (operation === "build") this.#disguise.endSession(call.bearer);
    if (operation === "verify") await this.#inTurn(() => this.#connection.handle(spending(call)));
  }

  /** The refusal of what the reference would have served: whatever else is wrong with a request comes first. */
  #refusal(operation: OperationName, call: ServiceRequest, refuse: Deeds["refuse"]): Envelope | undefined {
    const key = `${this.#disguise.personAsking(operation, call)} ${call.idempotencyKey}`;
    if (operation === "build" && refuse?.status === OUTCOMES.conflict.status)
      this.#takenKeys.set(key, refuse);
    const said = (operation === "build" ? this.#takenKeys.get(key) : undefined) ?? refuse;
    return said === undefined ? undefined : refusalOf(said);
  }

  async #ask(operation: string, call: ServiceRequest): Promise<Envelope> {
    const ask = () => this.#connection.handle(this.#disguise.toReference(operation, call));
    return (await this.#inTurn(ask)) as Envelope;
  }

  async advance(ms: number): Promise<void> {
    this.#nowMs = await this.#inTurn(() => this.#connection.advance(ms));
  }

  async restart(): Promise<void> {
    await this.#inTurn(() => {
      this.#disguise.forget();
      this.#takenKeys.clear();
      return this.#connection.start(this.#nowMs);
    });
  }

  #inTurn<Done>(doing: () => Promise<Done>): Promise<Done> {
    const done = this.#done.then(doing);
    this.#done = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

function answerOf({ status, body }: Envelope, { headers = {}, spelling, delayMs }: Deeds): StagedAnswer {
  const text = spelling === undefined ? JSON.stringify(body) : JSON_SPELLINGS[spelling](body);
  return {
    kind: "answer",
    status,
    headers: Object.entries(headers),
    text,
    // In process, too, members come in the order in which they are written.
    body: spelling === undefined ? body : JSON.parse(text),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function refusalOf({ status, codes }: NonNullable<Deeds["refuse"]>): Envelope {
  return { status, body: { code: codes[0], productionApproved: false } };
}

/** Whether it shows in answers of any status. */
function changesAnyAnswer({ headers, spelling, delayMs, add, passMs, restart }: Deeds): boolean {
  return [headers, spelling, delayMs, add, passMs, restart].some((one) => one !== undefined);
}

/** Whether the reference gave the very refusal that the script asks for. */
function isTheRefusal({ refuse }: Deeds, { status, body }: Envelope): boolean {
  return refuse?.status === status && refuse.codes.some((code) => code === body["code"]);
}

/** A proof of the same challenge that does not hold, which uses it up. */
function spending(call: ServiceRequest): ServiceRequest {
  const id = requestJson(call)?.["id"] ?? null;
  return { ...call, body: JSON.stringify({ id, signatureBase64: Buffer.alloc(64).toString("base64") }) };
}
