import { METADATA_HOSTS } from "../../../reference/profile.ts";
import { actor, proofBy } from "../../../reference/test-client.ts";

/** Somebody who uses a service over HTTP as the contract has it: signs in, and builds; then sends the proof once more. */
export async function visit(url: string, name: string): Promise<readonly number[]> {
  const who = actor(name);
  const statuses: number[] = [];
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const post = { method: "POST", body: JSON.stringify(body), headers };
    const answer = await fetch(url + path, body === undefined ? {} : post);
    statuses.push(answer.status);
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const { termsHash } = await ask("/v1/platform");
  const { id, message } = await ask("/v1/auth/challenge", { creator: who.creator, termsHash });
  const proof = { id, signatureBase64: proofBy(who, message) };
  const { bearer } = await ask("/v1/auth/verify", proof);
  const launch = {
    creator: who.creator,
    mint: actor(`mint of ${name}`).creator,
    name: "Demo Coin",
    symbol: "DEMO",
    uri: `https://${METADATA_HOSTS[0]}/m.json`,
  };
  const headers = { authorization: `Bearer ${bearer}`, "idempotency-key": "key-of-the-visit" };
  await ask("/v1/launch/build", launch, headers);
  await ask("/v1/auth/verify", proof);
  return statuses;
}
