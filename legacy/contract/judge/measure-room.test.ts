import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type Service, type ServiceModule } from "../../adapters/in-process.ts";
import { reference } from "../../testing/reference.ts";
import { UNSTATED_BOUND } from "../room.ts";
import { measureRoom } from "./measure-room.ts";

interface Sizes {
  readonly challenges?: number;
  readonly sessions?: number;
  readonly drafts?: number;
}

/** The reference with stores of these sizes, which it states or not. */
function sized(capacity: Sizes, stated: Sizes | undefined): ServiceModule {
  const { capacity: _, ...facts } = reference.facts as { readonly capacity: object };
  const create = reference.createService as (options: object) => Service;
  return {
    facts: stated === undefined ? facts : { ...facts, capacity: stated },
    createService: (options) => create({ ...options, capacity }),
  };
}

/** A service that refuses with 429 what `refuses` says of the requests for challenges and sessions so far. */
function refusing(
  code: string,
  refuses: (path: string, asked: readonly string[], creator: string) => boolean,
) {
  const inner = sized({}, undefined);
  return {
    ...inner,
    async createService(options) {
      const service = await inner.createService(options);
      const asked: string[] = [];
      return {
        handle(call) {
          const { path, body } = call as { readonly path: string; readonly body?: string };
          if (!path.startsWith("/v1/auth/")) return service.handle(call);
          const { creator = "" } = JSON.parse(String(body)) as { readonly creator?: string };
          if (refuses(path, asked, creator))
            return { status: 429, body: { code, productionApproved: false } };
          asked.push(path === "/v1/auth/verify" ? path : creator);
          return service.handle(call);
        },
      };
    },
  } satisfies ServiceModule;
}

async function roomOf(module: ServiceModule) {
  const connection = await inProcessAdapter(module, { name: "service" }).connect();
  try {
    return await measureRoom(connection, "1", 0);
  } finally {
    await connection.close();
  }
}

for (const [what, module, room] of [
  ["a service that states its bounds", sized({}, { challenges: 256, sessions: 64, drafts: 128 }), {}],
  ["a service with more room than is asked for", sized({}, undefined), {}],
  ["room for just as much as is asked for", sized({ drafts: UNSTATED_BOUND }, undefined), {}],
  ["three drafts", sized({ drafts: 3 }, undefined), { drafts: 3, altogether: 11 }],
  [
    "three of each",
    sized({ challenges: 3, sessions: 3, drafts: 3 }, undefined),
    { challenges: 3, sessions: 3, drafts: 3, altogether: 3 },
  ],
  ["a bound that is stated", sized({ sessions: 3 }, { challenges: 256, sessions: 3, drafts: 128 }), {}],
  ["no room at all", sized({ challenges: 0 }, undefined), {}],
  [
    "four challenges of one creator",
    refusing("OFFLINE_CAPACITY", (_, asked, creator) => asked.filter((one) => one === creator).length >= 4),
    { asksOfOne: 4 },
  ],
  [
    "seven challenges of all",
    refusing("OFFLINE_RATE_LIMIT", (path, asked) => path.endsWith("challenge") && asked.length >= 7),
    { asksOfAll: 7 },
  ],
  ["no session for anybody", refusing("OFFLINE_RATE_LIMIT", (path) => path.endsWith("verify")), {}],
] as const) {
  test(`what is found of ${what}`, async () => assert.deepEqual(await roomOf(module), room));
}
