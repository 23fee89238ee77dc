import { createHash } from "node:crypto";
import type { Connection, ServiceRequest, SignedBytes } from "../../../adapters/adapter.ts";
import type {
  ClientJudgement,
  ClientStage,
  Staged,
  StagedTask,
  StageHost,
  StageStep,
} from "../../../engine/client/client-contract.ts";
import type { ClientRequest, Trace } from "../../../engine/client/trace.ts";
import { type OperationName, OUTCOMES, operationOf, ROUTES } from "../../operations.ts";
import { DEMO_COIN } from "../../verbs/requests.ts";
import type { Deeds, Disturbance, Launch, Scenario } from "../script/scenario.ts";
import { JSON_SPELLINGS } from "../script/spellings.ts";
import { Disguise } from "./disguise.ts";
import { type GivenLaunch, judgeEnds } from "./judge-ends.ts";
import { openReference } from "./reference-service.ts";
import { deedsOf, ScriptCourse } from "./script-course.ts";
import { ServiceIdentity } from "./service-identity.ts";
import { filled, type NamedValues, shapedBody } from "./shape-answer.ts";
import { callOf } from "./stage-call.ts";
import { StagePeople } from "./stage-people.ts";

type Body = Readonly<Record<string, unknown>>;
interface Envelope {
  readonly status: number;
  readonly body: Body;
}

/** What a stage knows of a vector, and no request shows. */
export interface StageKnowledge {
  /** The terms hash that this vector's service serves. */
  readonly termsHash: string;
  readonly signedBytes: SignedBytes;
  /** Every creator's address, and the 64 bytes of its secret key. */
  readonly creators: readonly { readonly address: string; readonly secretKey: Uint8Array }[];
}

/** Judges all that a client did. */
export type TraceJudge = (trace: Trace, known: StageKnowledge) => Omit<ClientJudgement, "unreached">;

/** Codes of what is said where the service itself breaks; the contract has none. */
const BROKEN = "INTERNAL_ERROR";

/** Statuses that a service gives before it has looked at a request. */
const AT_ONCE: readonly number[] = [OUTCOMES.full.status, OUTCOMES.tooLarge.status];

/** Sets up a scripted service over the reference. */
export async function openPartnerStage(
  scenario: Scenario,
  host: StageHost,
  judge: TraceJudge,
): Promise<PartnerStage> {
  const label = `${host.seed} client ${host.name}`;
  const connection = await openReference({ random: randomOf(label), capacity: scenario.capacity });
  await connection.start(host.startMs);
  const { body } = (await connection.handle(ROUTES.platform)) as Envelope;
  const people = new StagePeople(label);
  return new PartnerStage(scenario, host, judge, {
    connection,
    people,
    identity: new ServiceIdentity(body, label, people),
    label,
  });
}

interface StageParts {
  readonly connection: Connection;
  readonly people: StagePeople;
  readonly identity: ServiceIdentity;
  readonly label: string;
}

/** A scripted service in play: the reference in disguise, and what the script does to it. */
export class PartnerStage implements ClientStage {
  readonly steps: readonly StageStep[];
  readonly #scenario: Scenario;
  readonly #judge: TraceJudge;
  readonly #connection: Connection;
  readonly #course: ScriptCourse;
  readonly #disguise: Disguise;
  readonly #names: NamedValues;
  readonly #known: StageKnowledge;
  readonly #launches: readonly GivenLaunch[];
  /** Keys that somebody else has used, by creator and key, and what a build under one is told. */
  readonly #takenKeys = new Map<string, NonNullable<Deeds["refuse"]>>();
  #nowMs: number;

  constructor(scenario: Scenario, host: StageHost, judge: TraceJudge, parts: StageParts) {
    const { connection, people, identity, label } = parts;
    const signedBytes = signedBytesOf(host.facts);
    this.#scenario = scenario;
    this.#judge = judge;
    this.#connection = connection;
    this.#course = new ScriptCourse(scenario.disturbances);
    this.#disguise = new Disguise(identity, people, signedBytes);
    this.#names = { people, metadataHosts: connection.info.facts.metadataHosts };
    this.#nowMs = host.startMs;
    const launches = scenario.steps.flatMap((step) => (step.kind === "launches" ? step.launches : []));
    const creators = [...new Set(launches.map(({ by }) => by))];
    this.#known = {
      termsHash: identity.termsHash,
      signedBytes,
      creators: creators.map((person) => ({
        address: people.address(person),
        secretKey: people.secretKey(person),
      })),
    };
    const taskOf = (launch: Launch) => stagedTask(launch, label, this.#names);
    this.#launches = launches.map((launch) => ({ id: taskOf(launch).id, expect: launch.expect }));
    this.steps = scenario.steps.map((step) =>
      step.kind === "launches" ? { kind: "tasks", tasks: step.launches.map(taskOf) } : step,
    );
  }

  async answer(request: ClientRequest): Promise<Staged> {
    const call = callOf(request);
    const operation = operationOf(call.method, call.path);
    if (operation === "other") {
      const { status, body } = await this.#ask(operation, call);
      return this.#staged(operation, answerOf({ status, body }, {}), { tookEffect: true });
    }
    const active = this.#course.next(operation, this.#disguise.personAsking(operation, call));
    const does = deedsOf(active);
    if (does.restart === true) await this.restart();
    if (does.lose === "request") return this.#disturbed(operation, active, { kind: "lost" }, false);
    const atOnce = this.#refusedAtOnce(does);
    if (atOnce !== undefined) return this.#disturbed(operation, active, answerOf(atOnce, does), false);
    await this.#prepareRefusal(operation, call, does);
    const theirs = await this.#ask(operation, call);
    const refused = this.#refusedBySaying(operation, call, theirs, does);
    if (refused !== undefined) return this.#disturbed(operation, active, answerOf(refused, does), false);
    if (does.passMs !== undefined) await this.advance(does.passMs);
    if (does.lose === "answer") return this.#disturbed(operation, active, { kind: "lost" }, true);
    if (does.status !== undefined) {
      const broken = { status: does.status, body: { code: BROKEN, productionApproved: false } };
      return this.#disturbed(operation, active, answerOf(broken, does), true);
    }
    return this.#answered(operation, call, theirs, active, does);
  }

  /** What became of the reference's own answer. */
  #answered(
    operation: OperationName,
    call: ServiceRequest,
    theirs: Envelope,
    active: readonly Disturbance[],
    does: Deeds,
  ): Staged {
    if (theirs.status !== OUTCOMES.served.status) {
      const came = active.filter((one) => changesAnyAnswer(one.does) || isTheRefusal(one.does, theirs));
      const body = shapedBody(
        theirs.body,
        does.add === undefined ? {} : { add: does.add },
        this.#names,
        "script",
      );
      return this.#disturbed(operation, came, answerOf({ ...theirs, body }, does), true);
    }
    const ours = this.#disguise.fromReference(operation, call, theirs.body, does);
    const body = shapedBody(ours, does, this.#names, "script");
    const came = active.filter((one) => one.does.refuse === undefined);
    return this.#disturbed(operation, came, answerOf({ ...theirs, body }, does), true);
  }

  #refusedAtOnce({ refuse, status, effect }: Deeds): Envelope | undefined {
    if (refuse !== undefined && AT_ONCE.includes(refuse.status)) return refusalOf(refuse);
    if (status === undefined || effect === true) return undefined;
    return { status, body: { code: BROKEN, productionApproved: false } };
  }

  /** Brings the service into the state in which it refuses by itself, where there is such. */
  async #prepareRefusal(operation: OperationName, call: ServiceRequest, { refuse }: Deeds): Promise<void> {
    if (refuse?.status !== OUTCOMES.unauthorized.status) return;
    if (operation === "build") this.#disguise.endSession(call.bearer);
    if (operation === "verify") await this.#connection.handle(spending(call));
  }

  /** A refusal of what the reference would have served: whatever else is wrong with a request comes first. */
  #refusedBySaying(
    operation: OperationName,
    call: ServiceRequest,
    theirs: Envelope,
    { refuse }: Deeds,
  ): Envelope | undefined {
    if (theirs.status !== OUTCOMES.served.status) return undefined;
    const person = this.#disguise.personAsking(operation, call);
    const key = `${person} ${call.idempotencyKey}`;
    if (operation === "build" && refuse?.status === OUTCOMES.conflict.status)
      this.#takenKeys.set(key, refuse);
    const taken = operation === "build" ? this.#takenKeys.get(key) : undefined;
    const said = taken ?? refuse;
    return said === undefined ? undefined : refusalOf(said);
  }

  async #ask(operation: string, call: ServiceRequest): Promise<Envelope> {
    return (await this.#connection.handle(this.#disguise.toReference(operation, call))) as Envelope;
  }

  #disturbed(
    operation: OperationName,
    came: readonly Disturbance[],
    answer: Staged["answer"],
    tookEffect: boolean,
  ): Staged {
    this.#course.came(came);
    const words = came.map((one) => one.words).join("; ");
    return this.#staged(operation, answer, { tookEffect, ...(words === "" ? {} : { disturbed: words }) });
  }

  #staged(
    operation: string,
    answer: Staged["answer"],
    rest: Pick<Staged, "tookEffect" | "disturbed">,
  ): Staged {
    return { operation, answer, serviceMs: this.#nowMs, ...rest };
  }

  async advance(ms: number): Promise<void> {
    this.#nowMs = await this.#connection.advance(ms);
  }

  async restart(): Promise<void> {
    this.#disguise.forget();
    this.#takenKeys.clear();
    await this.#connection.start(this.#nowMs);
  }

  judge(trace: Trace): ClientJudgement {
    const judged = this.#judge(trace, this.#known);
    const ends = judgeEnds(trace, this.#launches, this.#scenario.rule);
    const unreached = this.#course.unreached();
    return {
      ...judged,
      violations: [...judged.violations, ...ends],
      ...(unreached === undefined ? {} : { unreached }),
    };
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

/** The task of a launch. The same launch has the same id each time. */
function stagedTask(launch: Launch, label: string, names: NamedValues): StagedTask {
  const { line, by, number, again } = launch;
  const name = `launch ${number + 1}${again === 0 ? "" : ` again${again === 1 ? "" : ` ${again}`}`}`;
  const id = `launch-${createHash("sha256").update(`${label} launch ${number}`).digest("hex").slice(0, 16)}`;
  const { people, metadataHosts } = names;
  const token = {
    mint: people.stranger(`mint ${number}`),
    name: DEMO_COIN.name,
    symbol: DEMO_COIN.symbol,
    uri: `https://${metadataHosts[0]}/${DEMO_COIN.file}`,
    ...(filled(launch.token, names, "token") as object),
  };
  const secretKeyBase64 = Buffer.from(people.secretKey(by)).toString("base64");
  return {
    id: name,
    line,
    task: {
      task: "launch",
      id,
      ...(again === 0 ? {} : { again: true }),
      creator: { address: people.address(by), secretKeyBase64 },
      token,
    },
  };
}

function answerOf({ status, body }: Envelope, { headers = {}, spelling, delayMs }: Deeds): Staged["answer"] {
  return {
    kind: "answer",
    status,
    headers: Object.entries(headers),
    text: spelling === undefined ? JSON.stringify(body) : JSON_SPELLINGS[spelling](body),
    body,
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

/** A proof of a challenge that does not hold, which uses it up. */
function spending(call: ServiceRequest): ServiceRequest {
  const id: unknown = (JSON.parse(String(call.body ?? "{}")) as Body)["id"];
  return { ...call, body: JSON.stringify({ id, signatureBase64: Buffer.alloc(64).toString("base64") }) };
}

function signedBytesOf(facts: Readonly<Record<string, unknown>>): SignedBytes {
  const known: readonly SignedBytes[] = ["hex", "base64", "sha256"];
  return known.find((one) => one === facts["signedBytes"]) ?? "utf8";
}

/** Bytes that belong to the label: the same for the same requests, as many as are asked for. */
function randomOf(label: string): (bytes: number) => Uint8Array {
  let asked = 0;
  return (bytes) => {
    asked += 1;
    return createHash("shake256", { outputLength: bytes }).update(`${label} random ${asked}`).digest();
  };
}
