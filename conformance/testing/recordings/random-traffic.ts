import { type KeyPair, keyPairOf } from "../../contract/keys/key-pair.ts";
import { ROUTES } from "../../contract/operations.ts";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import type { RandomSource } from "../../engine/search/random-source.ts";
import { Traffic } from "./traffic.ts";

/** Whether a session has a bearer of its own, the one of its creator, or the one of its creator until a restart. */
export const BEARERS = ["of-its-own", "of-its-creator", "of-its-creator-until-a-restart"] as const;

const PEOPLE = [1, 2, 3].map((number) => keyPairOf(`person ${number} of the random recordings`));
/** Of the sessions and challenges that there are, the youngest so many are used. */
const YOUNGEST = 4;

/** Pauses, in ms: within a second, within the life of a draft, of a minute, of a session. */
const PAUSES = [200, 200, 200, 5_000, 5_000, 5_000, 29_000, 29_000, 61_000, 3_700_000];
/** In a crowd of requests they are short. */
const SHORT_PAUSES = [6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 61_000];

interface Session {
  readonly person: KeyPair;
  readonly bearer: string;
}

/** Traffic with a service that keeps the contract: the reference, whose bearers are recorded as another's would be. */
export class RandomTraffic {
  readonly #draw: RandomSource;
  readonly #traffic: Traffic;
  readonly #bearers: (typeof BEARERS)[number];
  readonly #sessions: Session[] = [];
  readonly #challenges: { readonly person: KeyPair; readonly given: { id: string; message: string } }[] = [];
  /** The reference's own bearer behind each that is recorded. */
  readonly #real = new Map<string, string>();
  #run = 0;

  private constructor(draw: RandomSource, traffic: Traffic, bearers: (typeof BEARERS)[number]) {
    this.#draw = draw;
    this.#traffic = traffic;
    this.#bearers = bearers;
  }

  /** What was recorded of some dozen requests, and of restarts. */
  static async recorded(draw: RandomSource, bearers: (typeof BEARERS)[number]): Promise<readonly Recorded[]> {
    const traffic = await Traffic.begun();
    const random = new RandomTraffic(draw, traffic, bearers);
    const isCrowd = draw.percent(50);
    const steps = (isCrowd ? 33 : 8) + draw.below(30);
    for (let step = 0; step < steps; step++) {
      await random.#step(isCrowd ? 40 : 7);
      traffic.nowMs += draw.below(draw.pick(isCrowd ? SHORT_PAUSES : PAUSES));
    }
    return traffic.items;
  }

  async #step(keys: number): Promise<void> {
    const [draw, traffic] = [this.#draw, this.#traffic];
    const person = draw.pick(PEOPLE);
    const kind = draw.below(100);
    if (kind < 45) await this.#build(person, keys);
    else if (kind < 60) await this.#astray(async () => this.#challenge(person));
    else if (kind < 75) await this.#astray(async () => this.#verify(person));
    else if (kind < 85)
      await this.#astray(async () => {
        await this.#challenge(person);
        await this.#verify(person);
      });
    else if (kind < 90) {
      await traffic.restart();
      this.#run += 1;
    } else if (kind < 93) await traffic.send(ROUTES.platform);
    else if (kind < 97)
      await traffic.send({
        method: "POST",
        path: "/v1/launch/send",
        body: "{}",
        bearer: "a-bearer-of-nobody",
      });
    else await traffic.send({ ...ROUTES.challenge, body: "{" });
  }

  async #challenge(person: KeyPair): Promise<void> {
    const given = await this.#traffic.challenge(person);
    if (given.id !== undefined) this.#challenges.push({ person, given });
  }

  async #verify(other: KeyPair): Promise<void> {
    if (this.#challenges.length === 0) return;
    const { person, given } = this.#draw.pick(this.#challenges.slice(-YOUNGEST));
    const { status } = await this.#traffic.verify(given, this.#draw.percent(85) ? person : other);
    if (status === 200) this.#sessions.push({ person, bearer: this.#opened(person) });
  }

  /** Has the session that was opened last recorded with the bearer that such a service gives. */
  #opened({ address }: KeyPair): string {
    let bearer = "";
    this.#traffic.spoil(({ body }) => {
      const real = String(body["bearer"]);
      const shown = {
        "of-its-own": real,
        "of-its-creator": `bearer-of-${address}`,
        "of-its-creator-until-a-restart": `bearer-of-${address}-in-run-${this.#run}`,
      };
      bearer = shown[this.#bearers];
      this.#real.set(bearer, real);
      Object.assign(body, { bearer });
    });
    return bearer;
  }

  async #build(other: KeyPair, keys: number): Promise<void> {
    if (this.#sessions.length === 0) return;
    const draw = this.#draw;
    const { person, bearer } = draw.pick(this.#sessions.slice(-YOUNGEST));
    const key = `some-key-${draw.below(keys)}`;
    const name = draw.percent(75) ? "Demo Coin" : "Other Coin";
    const asker = draw.percent(90) ? person : other;
    if (draw.percent(3)) return void (await this.#traffic.build(asker, undefined, key, name));
    await this.#traffic.build(asker, this.#real.get(bearer), key, name);
    this.#changeFrom(-1, ({ request }) => ({ request: { ...request, bearer } }));
  }

  /** Now and then what is asked without need of a bearer is sent with one. */
  async #astray(ask: () => Promise<void>): Promise<void> {
    const from = this.#traffic.items.length;
    await ask();
    if (this.#sessions.length === 0 || !this.#draw.percent(15)) return;
    const { bearer } = this.#draw.pick(this.#sessions);
    this.#changeFrom(from, ({ request }) => ({
      request: { ...request, bearer },
      credentials: "bearer",
    }));
  }

  #changeFrom(from: number, how: (item: RecordedExchange) => Partial<RecordedExchange>): void {
    const { items } = this.#traffic;
    const changed = items
      .splice(from)
      .map((item) => (item.kind === "restart" ? item : { ...item, ...how(item) }));
    items.push(...changed);
  }
}
