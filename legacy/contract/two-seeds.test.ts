/** What a service could know the kit by: nothing that two runs with different seeds say alike, but what must be said so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type ServiceCall, type ServiceModule } from "../adapters/in-process.ts";
import type { RunOptions } from "../engine/run/run.ts";
import { type Envelope, reference } from "../testing/reference.ts";
import { runWith, suitesOf } from "../testing/run-vectors.ts";
import { WHOLE } from "../testing/whole-tests.ts";
import { loadKitData } from "./kit-data.ts";
import { ROUTES } from "./operations.ts";

/** What is heard in a run, by what it is. */
interface Heard {
  readonly texts: Set<string>;
  readonly starts: Set<number>;
}

/** The reference, and every text that it is told. */
function listening(heard: Heard): ServiceModule {
  return {
    ...reference,
    async createService(options) {
      heard.starts.add(options.now());
      const service = await reference.createService(options);
      return {
        handle(call: ServiceCall) {
          for (const text of textsOf(call)) heard.texts.add(text);
          return service.handle(call);
        },
      };
    },
  };
}

/** The credentials of a call, and every text in its body. */
function* textsOf({ body, bearer, idempotencyKey }: ServiceCall): Generator<string> {
  for (const text of [bearer, idempotencyKey]) if (typeof text === "string") yield text;
  if (typeof body !== "string") return;
  let members: unknown;
  try {
    members = JSON.parse(body);
  } catch {
    return;
  }
  if (typeof members !== "object" || members === null) return;
  for (const value of Object.values(members)) if (typeof value === "string") yield value;
}

async function heardIn(options: Partial<RunOptions> & Pick<RunOptions, "suites">): Promise<Heard> {
  const heard: Heard = { texts: new Set(), starts: new Set() };
  const adapter = inProcessAdapter(listening(heard), { name: "listening" });
  const { totals } = await runWith({ ...options, adapter });
  assert.equal(totals.failed + totals.error + totals.skipped, 0);
  assert.ok(heard.texts.size > 20);
  return heard;
}

/** What two runs said alike, but for what the service itself had told them. */
async function inCommon(one: Heard, other: Heard): Promise<readonly string[]> {
  const service = await reference.createService({ now: () => 0 });
  const { body } = (await service.handle({ method: "GET", path: ROUTES.platform.path } as never)) as Envelope;
  const known = Object.values(body);
  return [...one.texts].filter((text) => other.texts.has(text) && !known.includes(text));
}

/** Vectors that leave all that they can to the verbs. */
const PLAIN = `suite: sample
vectors:
  - id: flow
    title: somebody signs in and builds
    rules: [ENDPOINT-4]
    steps:
      - session: { for: alice }
      - build: { by: alice }
      - build: { by: bob, mint: $gold }
      - build: { by: leading-zero }
      - challenge: { for: mallory }
        as: first
      - verify: { challenge: $first, proof: { by: bob } }
        expect: 401 INVALID_PROOF
  - id: crowd
    title: many come and build
    rules: [ENDPOINT-4]
    clock: whole-minute
    steps:
      - crowd: { store: drafts, times: 12, open: CROWD-OF-CREATORS }
`;

test("two seeds have no text and no moment in common in what vectors leave open", async (context) => {
  const suites = suitesOf(context, PLAIN);
  const [usual, one, other] = [
    await heardIn({ suites }),
    await heardIn({ suites, seed: 2 }),
    await heardIn({ suites, seed: 3 }),
  ];
  for (const [first, second] of [
    [usual, one],
    [usual, other],
    [one, other],
  ] as const) {
    assert.deepEqual(await inCommon(first, second), []);
    assert.deepEqual(
      [...first.starts].filter((ms) => second.starts.has(ms)),
      [],
    );
  }
});

test("nor have two salts", async (context) => {
  const suites = suitesOf(context, PLAIN);
  const salted = (text: string) => heardIn({ suites, salt: { text, told: true } });
  assert.deepEqual(await inCommon(await salted("a"), await salted("b")), []);
});

test("two seeds have nothing in common in their searches but what says nothing", async () => {
  const { suites } = loadKitData();
  const options = { suites, only: ["property"], runs: WHOLE ? 3 : 1, exhaustive: 1 };
  const [one, other] = [await heardIn({ ...options, seed: 2 }), await heardIn({ ...options, seed: 3 })];
  const zeros = ["0".repeat(64), `${"A".repeat(86)}==`];
  assert.deepEqual(
    (await inCommon(one, other)).filter((text) => ![...zeros, "none", ""].includes(text)),
    [],
  );
});
