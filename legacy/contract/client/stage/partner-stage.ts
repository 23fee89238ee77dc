import { createHash } from "node:crypto";
import type { SignedBytes } from "../../../adapters/adapter.ts";
import type {
  ClientJudgement,
  ClientStage,
  Staged,
  StagedTask,
  StageHost,
  StageStep,
} from "../../../engine/client/client-contract.ts";
import type { ClientRequest, Trace } from "../../../engine/client/trace.ts";
import { ROUTES } from "../../operations.ts";
import { DEMO_COIN } from "../../verbs/requests.ts";
import type { LegalChange, StageKnowledge } from "../judge/stage-knowledge.ts";
import type { Launch, Scenario } from "../script/scenario.ts";
import { type GivenLaunch, judgeEnds } from "./judge-ends.ts";
import { legalChanges } from "./legal-changes.ts";
import { openReference } from "./reference-service.ts";
import { ScriptedService } from "./scripted-service.ts";
import { ServiceIdentity } from "./service-identity.ts";
import { filled, type NamedValues } from "./shape-answer.ts";
import { StagePeople } from "./stage-people.ts";

/** Judges all that a client did. */
export type TraceJudge = (trace: Trace, known: StageKnowledge) => Omit<ClientJudgement, "unreached">;

/** Sets up a scripted service over a reference of its own, and the tasks of a client. */
export async function openPartnerStage(
  scenario: Scenario,
  { name, seed, facts, startMs }: StageHost,
  judge: TraceJudge,
): Promise<ClientStage> {
  const label = `${seed} client ${name}`;
  const connection = await openReference({ random: randomOf(label), capacity: scenario.capacity });
  await connection.start(startMs);
  const { body } = (await connection.handle(ROUTES.platform)) as { readonly body: Record<string, unknown> };
  const people = new StagePeople(label, `${seed} client`);
  const names = { people, metadataHosts: connection.info.facts.metadataHosts };
  const signedBytes = signedBytesOf(facts);
  const service = new ScriptedService({
    connection,
    identity: new ServiceIdentity(body, label, people),
    names,
    signedBytes,
    disturbances: scenario.disturbances,
    startMs,
  });
  const known = { ...connection.info.facts, signedBytes };
  return new PartnerStage(scenario, { service, label, names, judge, known });
}

interface StageParts {
  readonly service: ScriptedService;
  readonly label: string;
  readonly names: NamedValues;
  readonly judge: TraceJudge;
  readonly known: StageKnowledge["facts"];
}

/** A scripted service in play, and what becomes of the launches that a client is given with it. */
class PartnerStage implements ClientStage {
  readonly steps: readonly StageStep[];
  readonly #service: ScriptedService;
  readonly #judge: TraceJudge;
  readonly #known: StageKnowledge;
  readonly #rule: string;
  readonly #launches: readonly GivenLaunch[];
  /** What was changed about the answer to a request, where that is legal. */
  readonly #changes = new WeakMap<ClientRequest, readonly LegalChange[]>();

  constructor({ steps, rule }: Scenario, { service, label, names, judge, known }: StageParts) {
    this.#service = service;
    this.#judge = judge;
    this.#rule = rule;
    this.#known = { facts: known, changes: ({ request }) => this.#changes.get(request) ?? [] };
    const taskOf = (launch: Launch) => stagedTask(launch, label, names);
    const launches = steps.flatMap((step) => (step.kind === "launches" ? step.launches : []));
    this.#launches = launches.map((launch) => ({ id: launchName(launch), expect: launch.expect }));
    this.steps = steps.map((step) =>
      step.kind === "launches" ? { kind: "tasks", tasks: step.launches.map(taskOf) } : step,
    );
  }

  async answer(request: ClientRequest): Promise<Staged> {
    const { came, ...scripted } = await this.#service.answer(request);
    this.#changes.set(request, legalChanges(came));
    const words = came.map((one) => one.words).join("; ");
    return { ...scripted, serviceMs: this.#service.nowMs, ...(words === "" ? {} : { disturbed: words }) };
  }

  advance(ms: number): Promise<void> {
    return this.#service.advance(ms);
  }

  restart(): Promise<void> {
    return this.#service.restart();
  }

  judge(trace: Trace): ClientJudgement {
    const judged = this.#judge(trace, this.#known);
    const ends = judgeEnds(trace, this.#launches, { rule: this.#rule, others: judged.violations });
    const { unreached } = this.#service;
    return {
      ...judged,
      violations: [...judged.violations, ...ends],
      ...(unreached === undefined ? {} : { unreached }),
    };
  }

  close(): Promise<void> {
    return this.#service.close();
  }
}

/** What a launch is called within its vector: `launch 2`, `launch 2 again`. */
function launchName({ number, again }: Launch): string {
  const times = again > 1 ? ` (${again})` : "";
  return `launch ${number + 1}${again === 0 ? "" : " again"}${times}`;
}

/** The task of a launch: the same launch has the same id each time, which no other vector has. */
function stagedTask(launch: Launch, label: string, { people, metadataHosts }: NamedValues): StagedTask {
  const { line, by, number, again } = launch;
  const digest = createHash("sha256").update(`${label} launch ${number}`).digest("hex");
  const token = {
    mint: people.stranger(`mint ${number}`),
    name: DEMO_COIN.name,
    symbol: DEMO_COIN.symbol,
    uri: `https://${metadataHosts[0]}/${DEMO_COIN.file}`,
    ...(filled(launch.token, { people, metadataHosts }) as object),
  };
  return {
    id: launchName(launch),
    line,
    task: {
      task: "launch",
      id: `launch-${digest.slice(0, 16)}`,
      ...(again === 0 ? {} : { again: true }),
      creator: {
        address: people.address(by),
        secretKeyBase64: Buffer.from(people.secretKey(by)).toString("base64"),
      },
      token,
    },
  };
}

function signedBytesOf(facts: StageHost["facts"]): SignedBytes {
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
