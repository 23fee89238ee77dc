import { keyPairOf } from "../../../conformance/contract/keys/key-pair.ts";
import type { Recorded, RecordedExchange } from "../../../conformance/engine/audit/recorded.ts";
import { Traffic } from "../../../conformance/testing/recordings/traffic.ts";

/** Between one who signs in and the next, in ms. */
const APART_MS = 60_000;

/** Legal traffic: so many people sign in, build four drafts, retry one, and meet a conflict. */
export async function visits(people: number): Promise<readonly Recorded[]> {
  const traffic = await Traffic.begun();
  for (let number = 0; number < people; number++) {
    const person = keyPairOf(`visitor ${number}`);
    const bearer = await traffic.session(person);
    for (let key = 0; key < 4; key++) await traffic.build(person, bearer, `visit-${number}-${key}`);
    await traffic.build(person, bearer, `visit-${number}-0`);
    await traffic.build(person, bearer, `visit-${number}-0`, "Other Coin");
    traffic.nowMs += APART_MS;
  }
  return traffic.items.filter(({ kind }) => kind === "exchange");
}

/** The same traffic again and again, later each time, with ids, bearers and keys of its own, until there is so much of it. */
export function* again(items: readonly Recorded[], most: number): Generator<Recorded, void, undefined> {
  const lastMs = (items.at(-1)?.startedMs ?? 0) + APART_MS - (items[0]?.startedMs ?? 0);
  for (let made = 0, round = 0; made < most; round++) {
    for (const item of items) {
      if (item.kind !== "exchange") continue;
      yield renamed(item, round.toString(16).padStart(6, "0"), round * lastMs);
      made += 1;
    }
  }
}

function renamed(item: RecordedExchange, name: string, laterMs: number): Recorded {
  const { request, response, startedMs, endedMs } = item;
  const text = (body: unknown) =>
    String(body ?? "")
      .replace(/"[a-f0-9]{6}([a-f0-9]{42})"/g, `"${name}$1"`)
      .replace(/"bearer":"/, `"bearer":"${name}`);
  const { bearer, idempotencyKey: key, body, ...asked } = request;
  return {
    ...item,
    startedMs: startedMs + laterMs,
    endedMs: endedMs + laterMs,
    request: {
      ...asked,
      ...(body === undefined ? {} : { body: text(body) }),
      ...(bearer === undefined ? {} : { bearer: name + bearer }),
      ...(key === undefined ? {} : { idempotencyKey: name + key }),
    },
    response: { status: response?.status ?? 0, body: text(response?.body) },
    proof: "holds",
  };
}
