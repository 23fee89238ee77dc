import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { stepsOf } from "../../engine/search/commands.ts";
import { playSequence } from "../../engine/search/play-sequence.ts";
import { oneProcess } from "../../testing/adapters/one-process.ts";
import { SERVED } from "../../testing/adapters/served-contract.ts";
import { reference } from "../../testing/reference.ts";
import { stageOf } from "../../testing/search/stage.ts";
import { SEQUENCES } from "../properties/sequences.ts";
import { type Command, CROWDS } from "./command.ts";
import { COMMANDS } from "./launch-commands.ts";

const STAGE = stageOf(1);

/** What crowds ask for, at once or not: how many requests were in flight together, and what came of the sequence. */
async function crowds(service: ServiceModule, atOnce: boolean) {
  let [underWay, most] = [0, 0];
  const asked: ServiceRequest[] = [];
  const adapter = oneProcess(service, 1, async (connection, request) => {
    asked.push(request);
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return connection.handle(request);
  });
  const connection = await adapter.connect(SERVED);
  const commands = CROWDS.map((of): Command => ({ do: "crowd", of }));
  const { timekeeping } = STAGE;
  const stage = { contract: SEQUENCES, stage: STAGE, connection, id: "crowds", played: 0 };
  const steps = stepsOf(commands, COMMANDS, timekeeping, "1");
  const { violation, requests } = await playSequence(steps, "between-seconds", stage, "quickly", atOnce);
  const keys = asked.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  return { violation, requests, most, keys };
}

test("crowds whose requests may be in flight together ask for the same", async () => {
  const { most, ...alone } = await crowds(reference, false);
  assert.equal(alone.violation, undefined);
  assert.equal(most, 1);
  const together = await crowds(reference, true);
  assert.deepEqual(together, { ...alone, most: 4 });
});

test("what one of a crowd is answered wrongly is seen once all are answered", async () => {
  const spoilt = (): ServiceModule => {
    let builds = 0;
    return {
      ...reference,
      createService: async (options) => {
        const { handle } = await reference.createService(options);
        return {
          handle: (call) =>
            call.path === "/v1/launch/build" && ++builds === 6 ? { status: 200, body: {} } : handle(call),
        };
      },
    };
  };
  const { violation: alone } = await crowds(spoilt(), false);
  const { violation } = await crowds(spoilt(), true);
  assert.ok(alone !== undefined);
  assert.deepEqual(violation?.rules, alone.rules);
});
