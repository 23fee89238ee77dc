import type { WorldHost } from "../../engine/contract.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import type { Template } from "../../engine/vectors/vector.ts";
import type { KeyPair } from "../keys/key-pair.ts";
import type { ProofSpec } from "../keys/proof.ts";
import type { Store } from "../operations.ts";
import type { Alive } from "./alive.ts";
import type { Comers } from "./comers.ts";
import type { People } from "./people.ts";
import { challengeMembers, operationRequest } from "./requests.ts";
import type { signIn } from "./sign-in.ts";
import type { Stored } from "./stored.ts";

/** What of a world fills its service's stores. */
export interface Crowd {
  readonly host: WorldHost;
  readonly comers: Comers;
  /** What lives in a store for certain, so far. */
  alive(store: Store): Alive;
  readonly people: Pick<People, "bearerOf">;
  readonly stored: Stored;
  /** The profile of the service, once it was asked for. */
  readonly profile: Exchange["body"] | undefined;
  keyPair(name: string): KeyPair;
  freshKey(): string;
  launchMembers(actor: string, key: string | undefined): Readonly<Record<string, Template>>;
  proof(spec: Omit<ProofSpec, "signedBytes">): string;
  signIn(actor: string, at: StepPlace): ReturnType<typeof signIn<Exchange>>;
}

/** The answer that ended a try, and whether it came from the store that is to be filled. */
export interface Try {
  readonly exchange: Exchange;
  readonly ofStore: boolean;
}

type Fill = (world: Crowd, actor: string, at: StepPlace) => Promise<Try>;

const storeSession: Fill = async (world, actor, at) => {
  const { challenge, session } = await world.signIn(actor, at);
  return { exchange: session ?? challenge, ofStore: session !== undefined };
};

/** How somebody makes the next entry of each store. */
export const FILL: Readonly<Record<Store, Fill>> = {
  async challenges(world, actor, at) {
    const members = challengeMembers(world.keyPair(actor).address, world.profile?.["termsHash"]);
    return {
      exchange: await world.host.exchange(operationRequest("challenge", members, {}), at),
      ofStore: true,
    };
  },
  sessions: storeSession,
  async drafts(world, actor, at) {
    if (world.people.bearerOf(actor) === undefined) {
      const { exchange } = await storeSession(world, actor, at);
      if (exchange.status !== 200) return { exchange, ofStore: false };
    }
    const key = world.freshKey();
    const bearer = world.people.bearerOf(actor);
    const credentials = { key, ...(bearer === undefined ? {} : { bearer }) };
    const request = operationRequest("build", world.launchMembers(actor, key), {}, credentials);
    return { exchange: await world.host.exchange(request, at), ofStore: true };
  },
};
