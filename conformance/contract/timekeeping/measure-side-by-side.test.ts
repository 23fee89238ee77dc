import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type Service, type ServiceModule } from "../../adapters/in-process.ts";
import type { AskElsewhere } from "../../engine/contract.ts";
import { startTime } from "../../engine/play/start-times.ts";
import { reference } from "../../testing/reference.ts";
import { measureSideBySide } from "./measure-side-by-side.ts";
import { measureTimekeeping } from "./measure-timekeeping.ts";

const START_MS = startTime("between-seconds", 1);

/** What is measured on services of the module side by side, and by itself. */
async function measured(module: ServiceModule) {
  const adapter = inProcessAdapter(module, { name: "service" });
  let most = 0;
  let underWay = 0;
  const elsewhere: AskElsewhere = async (ask) => {
    const connection = await adapter.connect();
    most = Math.max(most, ++underWay);
    try {
      return await ask(connection);
    } finally {
      underWay -= 1;
      await connection.close();
    }
  };
  const alone = await adapter.connect();
  try {
    const sideBySide = await measureSideBySide(elsewhere, alone.info, "1", START_MS);
    const time = { now: () => 0, sleep: async () => {} };
    const { timekeeping } = await measureTimekeeping(alone, "1", START_MS, time);
    return { sideBySide, timekeeping, most };
  } finally {
    await adapter.close();
  }
}

test("what is usual is measured side by side as by itself", async () => {
  const { sideBySide, timekeeping, most } = await measured(reference);
  assert.deepEqual(sideBySide, { room: {}, timekeeping });
  assert.ok(most > 1);
});

const create = reference.createService as (options: object) => Service;
const { capacity: _, ...facts } = reference.facts as { readonly capacity: object };
const UNUSUAL: Readonly<Record<string, ServiceModule>> = {
  "a clock of whole seconds": {
    ...reference,
    createService: ({ now }) => create({ now: () => Math.floor(now() / 1000) * 1000 }),
  },
  "a bound that is not stated": {
    facts,
    createService: (options) => create({ ...options, capacity: { challenges: 6, sessions: 6, drafts: 6 } }),
  },
  "nothing that is served": {
    ...reference,
    createService: () => ({ handle: () => ({ status: 404, body: { code: "NO_EXECUTION_ENDPOINT" } }) }),
  },
};
for (const [what, module] of Object.entries(UNUSUAL)) {
  test(`${what} is for who measures one thing after the other`, async () => {
    assert.equal((await measured(module)).sideBySide, undefined);
  });
}
