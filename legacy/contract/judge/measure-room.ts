import type { Connection } from "../../adapters/adapter.ts";
import { type Exchange, readEnvelope } from "../../engine/play/exchange.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { honestProof } from "../keys/proof.ts";
import { BUILDS_PER_MINUTE, isAnswered, OUTCOMES, ROUTES, type Store } from "../operations.ts";
import { ownText } from "../own-texts.ts";
import { type SeenRoom, UNSTATED_BOUND } from "../room.ts";
import { challengeMembers, launchMembers, operationRequest, verifyMembers } from "../verbs/requests.ts";
import { messageText } from "../verbs/sign-in.ts";

type Answer = Pick<Exchange, "status" | "body">;

/** Sign-ins of one creator that a service is asked for: two requests each. */
const SIGN_INS_OF_ONE = 5;

/**
 * Finds out how few challenges, sessions and drafts a service holds, and of how many requests for challenges and
 * sessions it has enough, where that is less than the vectors need: none of it is shown (contract, "Limits"), so it is
 * seen on fresh services before anything is held against them. A store that takes nothing at all has no bound: it is
 * broken, which its vectors will say.
 */
export async function measureRoom(connection: Connection, label: string, startMs: number): Promise<SeenRoom> {
  const { challenges, sessions, drafts } = connection.info.facts.capacity;
  const areStated = challenges !== undefined && sessions !== undefined && drafts !== undefined;
  const measuring = new Measuring(connection, label, startMs);
  await measuring.challengesOfMany();
  if (!areStated) await measuring.buildsOfMany();
  await measuring.requestsOfOne();
  return measuring.found;
}

type Found = { -readonly [Name in keyof SeenRoom]: SeenRoom[Name] };

/** Who signs in, and with what. */
interface Person {
  readonly name: string;
  readonly address: string;
  bearer?: string;
}

/** Fresh services, one after the other, each of which is asked for more and more. */
class Measuring {
  readonly found: Found = {};
  readonly #connection: Connection;
  readonly #label: string;
  readonly #startMs: number;
  readonly #stored: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  #asks = 0;
  #termsHash: unknown;

  constructor(connection: Connection, label: string, startMs: number) {
    this.#connection = connection;
    this.#label = label;
    this.#startMs = startMs;
  }

  /** A challenge each of many creators. */
  async challengesOfMany(): Promise<void> {
    await this.#start();
    for (let count = 0; count < UNSTATED_BOUND; count++)
      if ((await this.#challenge(this.#person(`one of many ${count}`))) === undefined) return;
  }

  /** Challenges of one creator, and sign-ins of another. */
  async requestsOfOne(): Promise<void> {
    await this.#start();
    const asking = this.#person("asks for challenges");
    for (let asks = 0; asks < 2 * SIGN_INS_OF_ONE; asks++)
      if ((await this.#challenge(asking, asks)) === undefined) break;
    await this.#start();
    const signing = this.#person("signs in");
    for (let asks = 0; asks < 2 * SIGN_INS_OF_ONE; asks += 2) if (!(await this.#signIn(signing, asks))) break;
  }

  /** A session and a build each of many creators; more builds of each where there are few of them. */
  async buildsOfMany(): Promise<void> {
    await this.#start();
    const people: Person[] = [];
    let building = true;
    for (let count = 0; count < UNSTATED_BOUND; count++) {
      const person = this.#person(`builder ${count}`);
      if (!(await this.#signIn(person))) break;
      people.push(person);
      if (building) building = await this.#build(person, 0);
    }
    for (let round = 1; round < BUILDS_PER_MINUTE && people.length * round < UNSTATED_BOUND; round++)
      for (const person of people) if (building) building = await this.#build(person, round);
  }

  async #start(): Promise<void> {
    await this.#connection.start(this.#startMs);
    Object.assign(this.#stored, { challenges: 0, sessions: 0, drafts: 0 });
    this.#asks = 0;
    this.#termsHash = (await this.#send(ROUTES.platform)).body["termsHash"];
  }

  #person(role: string): Person {
    const name = `${this.#label} room ${role}`;
    return { name, address: keyPairOf(name).address };
  }

  /** @param own how many requests of this creator came before, where they are counted */
  async #challenge({ address }: Person, own?: number): Promise<Answer["body"] | undefined> {
    const request = operationRequest("challenge", challengeMembers(address, this.#termsHash), {});
    const answer = await this.#send(request);
    this.#note("challenges", answer, own);
    return answer.status === 200 ? answer.body : undefined;
  }

  async #signIn(person: Person, own?: number): Promise<boolean> {
    const challenge = await this.#challenge(person, own);
    if (challenge === undefined) return false;
    const signer = keyPairOf(person.name);
    const proof = await honestProof(this.#connection, signer, messageText(challenge["message"]));
    const answer = await this.#send(operationRequest("verify", verifyMembers(challenge["id"], proof), {}));
    this.#note("sessions", answer, own === undefined ? undefined : own + 1);
    person.bearer = String(answer.body["bearer"]);
    return answer.status === 200;
  }

  async #build({ name, address, bearer = "" }: Person, round: number): Promise<boolean> {
    const mint = keyPairOf(`${name} mint ${round}`).address;
    const [host] = this.#connection.info.facts.metadataHosts;
    const credentials = { bearer, key: ownText(`room-key-${round}`, this.#label) };
    const members = launchMembers(address, mint, host, this.#label);
    const answer = await this.#send(operationRequest("build", members, {}, credentials));
    this.#note("drafts", answer);
    return answer.status === 200;
  }

  async #send(request: Parameters<Connection["handle"]>[0]): Promise<Answer> {
    return readEnvelope(await this.#connection.handle(request));
  }

  /** Takes in what one more entry was answered with. */
  #note(store: Store, answer: Answer, own?: number): void {
    const stored = this.#stored[store];
    const total = Object.values(this.#stored).reduce((sum, count) => sum + count, 0);
    const asks = this.#asks;
    if (store !== "drafts") this.#asks += 1;
    if (answer.status === 200) this.#stored[store] += 1;
    const limited = store !== "drafts" && isAnswered(OUTCOMES.limited, answer);
    const full = isAnswered(OUTCOMES.full, answer);
    const stated = this.#connection.info.facts.capacity[store];
    // A store that is full where it says so, or sooner, is held to what it says.
    if (full ? stated !== undefined && (own === undefined || stored >= stated) : !limited) return;
    // What is refused from the first is no bound.
    if (stored === 0) return;
    const { asksOfAll = Infinity, altogether = Infinity } = this.found;
    if (own !== undefined && asks < asksOfAll && total < altogether) {
      this.found.asksOfOne = Math.min(own, this.found.asksOfOne ?? own);
    } else if (own === undefined && limited) {
      this.found.asksOfAll = Math.min(asks, asksOfAll);
    } else if (own === undefined) {
      this.found[store] ??= stored;
      this.found.altogether = Math.min(total, altogether);
    }
  }
}
