import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import { audited, foundIn, Traffic } from "../../testing/recordings/traffic.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { ROUTES } from "../operations.ts";
import { holdsRemoved, isRemoved } from "../traffic/secret-masks.ts";

const ALICE = keyPairOf("alice of the cleaned recordings");
const BOB = keyPairOf("bob of the cleaned recordings");

/** Right traffic of two creators, with refusals. */
async function rightTraffic(): Promise<Traffic> {
  const traffic = await Traffic.begun();
  for (const [index, person] of [ALICE, BOB].entries()) {
    const bearer = await traffic.session(person);
    await traffic.build(person, bearer, `first-key-${index}`);
    await traffic.build(person, bearer, `first-key-${index}`, "Other Coin");
    await traffic.verify({ id: "0".repeat(48), message: "" }, person);
  }
  return traffic;
}

function changed(items: readonly Recorded[], change: (one: RecordedExchange) => object): readonly Recorded[] {
  return items.map((item) => (item.kind === "exchange" ? { ...item, ...change(item) } : item));
}

test("what was taken out of a recording is held against nobody, whatever stands in its place", async () => {
  const { items } = await rightTraffic();
  for (const word of ["[REDACTED]", "REDACTED", "***", "<bearer removed>", "[code redacted]", "xxxxxxxx"]) {
    const inText = (text: unknown, names: string) =>
      String(text).replace(new RegExp(`("(?:${names})":)"[^"]*"`, "g"), `$1"${word}"`);
    for (const names of ["bearer", "signatureBase64", "code", "bearer|signatureBase64|code|id|message"]) {
      const cleaned = changed(items, ({ request, response }) => ({
        request: {
          ...request,
          ...(request.bearer === undefined ? {} : { bearer: word }),
          ...(request.body === undefined ? {} : { body: inText(request.body, names) }),
        },
        response: response && { ...response, body: inText(response.body, names) },
      }));
      assert.deepEqual(foundIn(audited(cleaned)), [], `${word} for ${names}`);
    }
    const keys = changed(items, ({ request }) =>
      request.idempotencyKey === undefined ? {} : { request: { ...request, idempotencyKey: word } },
    );
    assert.deepEqual(foundIn(audited(keys)), [], `${word} for keys`);
  }
});

test("a header that a recording never tells of is not missed there, though another recording tells of it", async () => {
  const { items } = await rightTraffic();
  const elsewhere = (file: string) => (item: RecordedExchange) => ({ source: { ...item.source, file } });
  const isBuild = (item: Recorded) => item.kind === "exchange" && item.request.path === ROUTES.build.path;
  const bare = changed(items, ({ request: { bearer: _, ...request } }) => ({ request, credentials: "none" }));
  const keyless = changed(items, ({ request: { idempotencyKey: _, ...request } }) => ({ request }));
  for (const lacking of [bare, keyless]) {
    const both = [...items, ...changed(lacking.filter(isBuild), elsewhere("another.har"))];
    const inOrder = both.sort((a, b) => a.startedMs - b.startedMs);
    const outcome = audited(inOrder, { clockDoubtMs: 1 });
    assert.deepEqual(
      [foundIn(outcome), outcome.unknown.some(({ what }) => /no Auth/.test(what))],
      [[], true],
    );
  }
  const traffic = await rightTraffic();
  await traffic.build(ALICE, undefined, "other-key-1");
  traffic.spoil((answer) =>
    Object.assign(answer, { status: 400, body: { code: "METADATA_URL", productionApproved: false } }),
  );
  assert.equal(audited(traffic.items).found, 1, "where others are seen to send it, it is missed");
});

test("words that are no more than like what cleaning leaves are taken as they are", () => {
  for (const text of ["masked:AbCd0123456789efGHij", "Hidden Gem", "removed-key", "xxx", "filter", "Bearer"])
    assert.equal(isRemoved(text), false, text);
  assert.equal(holdsRemoved('{"name":"Mask","bearer":"aVeryLongBearer"}'), false);
  assert.equal(holdsRemoved('{"name" : "x", "signatureBase64" : "[redacted]"}'), true);
});
