import type { Answer, Call, Client } from "./client.ts";

/** A call, and the status that it has to be answered with. */
export type Ask = (call: Call, status: number) => Promise<Answer> | Answer;

/** Replays of one draft, between which other things are asked. */
const REPLAYS = 20;

const PROFILE: Call = { method: "GET", path: "/v1/platform" };
const REFUSED: readonly (readonly [Call, number])[] = [
  [{ method: "POST", path: "/v1/launch/sign" }, 404],
  [{ method: "POST", path: "/v1/auth/challenge", body: "{" }, 400],
  [{ method: "POST", path: "/v1/auth/challenge", body: "{}" }, 400],
  [{ method: "POST", path: "/v1/auth/verify", body: " ".repeat(17_000) }, 413],
  [{ method: "POST", path: "/v1/launch/build", body: "{}", bearer: "nobody's" }, 401],
];

/**
 * Requests of all kinds: somebody signs in, fails to, builds, asks again, and meets the errors on the way. The service has
 * no builds and no proofs of this person yet.
 * @returns how many requests it was
 */
export async function oneVisit(ask: Ask, client: Client, visit: number): Promise<number> {
  let asked = 0;
  const send = (call: Call, status: number) => {
    asked += 1;
    return ask(call, status);
  };
  await send(client.verify(await send(client.challenge(), 200), true), 401);
  const challenge = await send(client.challenge(), 200);
  const proof = client.verify(challenge);
  const session = await send(proof, 200);
  await send(proof, 401);
  for (let build = 0; build < 5; build++) await send(client.build(session, `visit-${visit}-${build}`), 200);
  await send(client.build(session, `visit-${visit}-5`), 429);
  await send(client.build(session, `visit-${visit}-0`, "Changed"), 409);
  const again = client.build(session, `visit-${visit}-0`);
  for (let replay = 0; replay < REPLAYS; replay++) {
    await send(again, 200);
    await send(PROFILE, 200);
    for (const [call, status] of REFUSED) await send(call, status);
  }
  return asked;
}
