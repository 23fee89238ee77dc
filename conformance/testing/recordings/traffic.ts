import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Service } from "../../adapters/in-process.ts";
import { type AuditOptions, type AuditOutcome, TrafficJudge } from "../../contract/audit/traffic-judge.ts";
import { type KeyPair, keyPairOf } from "../../contract/keys/key-pair.ts";
import { ROUTES } from "../../contract/operations.ts";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import { type Envelope, reference } from "../reference.ts";

const START_MS = Date.parse("2026-10-10T12:00:00.000Z");
const HOST = "gateway-a.example";

/** How one exchange is recorded otherwise than it took place. */
type Otherwise = Partial<Omit<RecordedExchange, "kind" | "source">>;

/** Traffic with the reference, written down as it goes: a clock that is moved by hand, a request in every second millisecond. */
export class Traffic {
  readonly items: Recorded[] = [];
  nowMs = START_MS;
  #service: Service | undefined;
  #termsHash = "";

  /** Starts the service, and reads its profile. */
  static async begun(): Promise<Traffic> {
    const traffic = new Traffic();
    await traffic.restart();
    return traffic;
  }

  /** The service starts anew; marked in the recording unless told. */
  async restart(isMarked = true): Promise<void> {
    this.#service = (await reference.createService({ now: () => this.nowMs })) as Service;
    if (isMarked) this.items.push({ kind: "restart", source: this.#source(), startedMs: this.nowMs });
    this.#termsHash = String((await this.send(ROUTES.platform)).body.termsHash);
  }

  /** Asks, and writes down what came. */
  async send(request: ServiceRequest, otherwise: Otherwise = {}): Promise<Envelope> {
    const startedMs = this.nowMs;
    const answer = structuredClone(await this.#service?.handle({ ...request } as never)) as Envelope;
    this.nowMs += 2;
    const { status, body } = answer;
    this.items.push({
      kind: "exchange",
      source: this.#source(),
      startedMs,
      endedMs: startedMs + 1,
      request,
      credentials: request.bearer === undefined ? "none" : "bearer",
      response: { status, body: JSON.stringify(body) },
      ...otherwise,
    });
    return answer;
  }

  async challenge(person: KeyPair): Promise<{ readonly id: string; readonly message: string }> {
    const body = JSON.stringify({ creator: person.address, termsHash: this.#termsHash });
    return (await this.send({ ...ROUTES.challenge, body })).body;
  }

  verify(
    { id, message }: { readonly id: string; readonly message: string },
    person: KeyPair,
    otherwise: Otherwise = {},
  ): Promise<Envelope> {
    const signatureBase64 = Buffer.from(person.sign(Buffer.from(message))).toString("base64");
    return this.send({ ...ROUTES.verify, body: JSON.stringify({ id, signatureBase64 }) }, otherwise);
  }

  /** A bearer. */
  async session(person: KeyPair): Promise<string> {
    return String((await this.verify(await this.challenge(person), person)).body.bearer);
  }

  /** A bearer of somebody whose sessions are seen to have one each: two that live at once are used. */
  async secondSession(person: KeyPair): Promise<string> {
    const first = await this.session(person);
    const second = await this.session(person);
    await this.build(person, first, "key-of-the-first-session");
    return second;
  }

  build(
    person: KeyPair,
    bearer: string | undefined,
    idempotencyKey: string,
    name = "Demo Coin",
    otherwise: Otherwise = {},
  ): Promise<Envelope> {
    const mint = keyPairOf(`mint of ${idempotencyKey}`).address;
    const uri = `https://${HOST}/coin.json`;
    const body = JSON.stringify({ creator: person.address, mint, name, symbol: "DEMO", uri });
    const asked = { ...ROUTES.build, body, idempotencyKey };
    return this.send(bearer === undefined ? asked : { ...asked, bearer }, otherwise);
  }

  /** Changes the answer to what was asked last. */
  spoil(change: (answer: Envelope) => void): void {
    const last = this.items.at(-1);
    if (last?.kind !== "exchange" || last.response === undefined) throw new Error("nothing to spoil");
    const answer: Envelope = { status: last.response.status, body: JSON.parse(String(last.response.body)) };
    change(answer);
    const { status, body } = answer;
    this.items[this.items.length - 1] = { ...last, response: { status, body: JSON.stringify(body) } };
  }

  #source() {
    return { file: "traffic", line: this.items.length + 1 };
  }
}

/** What is found in traffic, with the reference's facts. */
export function audited(items: Iterable<Recorded>, options: Partial<AuditOptions> = {}): AuditOutcome {
  const facts = (reference.facts ?? {}) as AuditOptions["facts"];
  const judge = new TrafficJudge({ complete: false, clockDoubtMs: 0, facts, ...options });
  for (const item of items) judge.take(item);
  return judge.end();
}

/** The rules that an audit finds broken, with the lines of the recording that show it. */
export function foundIn({ findings }: AuditOutcome): readonly string[] {
  return findings.map(
    ({ rules, because }) => `${rules[0]} ${because.map(({ source }) => source.line).join(",")}`,
  );
}
