import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceCall } from "../../adapters/in-process.ts";
import { withFault } from "../../testing/search/stage.ts";
import type { Answer, Call } from "./hidden-fault.ts";

test("two references in one service make the same ids, whatever one of them was asked besides", async () => {
  const ids: unknown[][] = [];
  const service = withFault({
    name: "asks one of two twice",
    make: () => (start, now) => {
      const [asked, doubly] = [start(now), start(now)];
      return (call: Call): Answer => {
        const answers = [asked(call), doubly(call)];
        if (ids.length === 0) doubly(call);
        ids.push(answers.map(({ body }) => body["id"]));
        return answers[0] as Answer;
      };
    },
  });
  const { handle } = (await service.createService({ now: () => 0 })) as Service;
  const creator = "11111111111111111111111111111112";
  const { body } = handle({ method: "GET", path: "/v1/platform" } as ServiceCall) as Answer;
  const termsHash = body["termsHash"];
  ids.length = 0;
  for (let time = 0; time < 3; time++) {
    const text = JSON.stringify({ creator, termsHash });
    handle({ method: "POST", path: "/v1/auth/challenge", body: text } as ServiceCall);
  }
  assert.equal(new Set(ids.map(([id]) => id)).size, 3);
  for (const [id, other] of ids) assert.equal(id, other);
  assert.equal(typeof ids[0]?.[0], "string");
});
