import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { type Command, PROOFS, SPANS } from "../../contract/commands/command.ts";
import { COMMANDS } from "../../contract/commands/launch-commands.ts";
import {
  type Call,
  type HiddenFault,
  hiddenFault,
  isBuild,
  isChallenge,
  isVerify,
  members,
  refusal,
  scopeOf,
} from "../../mutants/hidden/hidden-fault.ts";
import { hiddenFaults } from "../../mutants/hidden/hidden-faults.ts";
import { replay } from "../../mutants/hidden/hunt.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference } from "../../testing/reference.ts";
import { stageOf, withFault } from "../../testing/search/stage.ts";
import { EXACT } from "../play/timekeeping.ts";
import { stepsOf } from "./commands.ts";
import { playSequence, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import { shorten } from "./shorten.ts";

const folder = mkdtempSync(join(tmpdir(), "found-vectors-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const CLOCK = "between-seconds";
const CHALLENGE: Command = { do: "challenge", who: "alice" };
const BUILD: Command = { do: "build", who: "alice", key: 1, input: 0, spelling: 0, session: 0 };
const TEN_MINUTES: Command = { do: "wait", span: SPANS.indexOf("10m"), edge: "at", since: "now" };

function proof(looks: (text: string) => boolean): Command {
  return { do: "verify", back: 0, proof: PROOFS.findIndex((fields) => looks(JSON.stringify(fields))) };
}
const SHORT_PROOF = proof((text) => text.includes('"length":63'));
const HEX_PROOF = proof((text) => text.includes("hex"));
const GOOD_PROOF = proof((text) => text === "{}");

/** What a search would tell of these commands, made shorter or as they are. */
async function tell(fault: HiddenFault, commands: readonly Command[], short = true) {
  const connection = await inProcessAdapter(withFault(fault), { name: "told" }).connect();
  const stage: SequenceStage = {
    contract: COMMANDS,
    stage: stageOf(1),
    connection,
    id: "property/told",
    played: 0,
  };
  const steps = (some: readonly Command[]) => stepsOf(some, COMMANDS, EXACT, "told");
  const least = await shorten(commands, {
    play: (some, look) => playSequence(steps(some), CLOCK, stage, look),
    simpler: short ? COMMANDS.simpler : () => [],
  });
  assert.ok(least !== undefined, "nothing is wrong");
  const shown = { name: "told", steps: steps(least.items), clock: CLOCK, run: least.run } as const;
  const { failure, vector = "" } = reportSequence(shown, stage);
  return { rule: failure?.rule, vector };
}

function replayed(vector: string, service: ServiceModule) {
  return replay(contract, vector, join(folder, "found.yaml"), service).then(({ result }) => result);
}

/** The vector fails again for the same rule on the service that it was found on, and on no legal one. */
async function holds(
  { rule, vector }: Awaited<ReturnType<typeof tell>>,
  fault: HiddenFault,
  legal: Readonly<Record<string, ServiceModule>>,
): Promise<Readonly<Record<string, string>>> {
  const again = await replayed(vector, withFault(fault));
  assert.deepEqual([again.outcome, again.failures[0]?.rule], ["failed", rule], vector);
  const outcomes: Record<string, string> = {};
  for (const [name, service] of Object.entries({ reference, ...legal })) {
    const { outcome, failures } = await replayed(vector, service);
    assert.deepEqual(failures, [], `${name}: ${vector}`);
    outcomes[name] = outcome;
  }
  return outcomes;
}

/** A service that has forgotten a key ten minutes after its first build. */
function forgetting(spoil: (answer: ReturnType<typeof refusal>, call: Call, renewed: boolean) => unknown) {
  return hiddenFault("forgets keys", (inner, now) => {
    const firstBuilt = new Map<string, number>();
    return (call) => {
      if (!isBuild(call)) return inner(call);
      const scope = scopeOf(call);
      const since = firstBuilt.get(scope) ?? now();
      firstBuilt.set(scope, since);
      const renewed = now() - since >= 600_000;
      const key = renewed ? `${call.idempotencyKey}-renewed` : call.idempotencyKey;
      const answer = inner({ ...call, idempotencyKey: key });
      return (spoil(answer, call, renewed) ?? answer) as typeof answer;
    };
  });
}

test("a wrong code is told of the rule that its vector is told of", async () => {
  for (const [status, code] of [
    [401, "EXPIRED_OR_USED_CHALLENGE"],
    [401, "UNAUTHORIZED"],
    [400, "INVALID_JSON_BODY"],
    [409, "IDEMPOTENCY_CONFLICT"],
  ] as const) {
    const fault = hiddenFault(`answers ${code}`, (inner) => (call) => {
      const answer = inner(call);
      return isVerify(call) && answer.status >= 400 ? refusal(status, code) : answer;
    });
    const found = await tell(fault, [CHALLENGE, HEX_PROOF]);
    assert.deepEqual(await holds(found, fault, {}), { reference: "passed" });
  }
});

test("what hangs on a reading goes on with that reading alone", async () => {
  const retried = new Set<string>();
  const fault = forgetting((answer, call, renewed) => {
    if (!renewed || answer.status !== 200) return undefined;
    const again = retried.has(scopeOf(call));
    retried.add(scopeOf(call));
    return again ? refusal(409, "REBUILD_WITH_NEW_KEY") : undefined;
  });
  const found = await tell(fault, [BUILD, TEN_MINUTES, BUILD, BUILD]);
  assert.match(found.vector, /open: KEY-MEMORY-MINUTE, ends-unless: 200 }/);
  retried.clear();
  const legal = { forgetful: withFault(forgetting(() => undefined)) };
  assert.deepEqual(await holds(found, fault, legal), { reference: "skipped", forgetful: "passed" });
});

test("what hangs on the code that a service chose goes on with that code alone", async () => {
  const keepsChallenges = (code: "INVALID_PROOF" | "INVALID_FIELDS") =>
    hiddenFault(`answers short proofs with ${code}, and keeps their challenges`, (inner) => (call) => {
      const { signatureBase64 = "" } = members(call);
      const short = isVerify(call) && Buffer.from(signatureBase64, "base64").length === 63;
      if (!short) return inner(call);
      return refusal(code === "INVALID_PROOF" ? 401 : 400, code);
    });
  const fault = keepsChallenges("INVALID_PROOF");
  const found = await tell(fault, [CHALLENGE, SHORT_PROOF, GOOD_PROOF], false);
  assert.match(found.vector, /open: MALFORMED-SIGNATURE, ends-unless: 401 INVALID_PROOF }/);
  await holds(found, fault, { lenient: withFault(keepsChallenges("INVALID_FIELDS")) });
});

test("a crowd stays together, and a service that has no room for all of it is not failed", async () => {
  for (const point of COMMANDS.writing.roomPoints) assert.ok(contract.points.has(point), point);
  const counting = (name: string, most: number, after: () => ReturnType<typeof refusal>) =>
    hiddenFault(name, (inner) => {
      let asked = 0;
      return (call) => {
        if (isChallenge(call) || isVerify(call)) asked += 1;
        return asked > most ? after() : inner(call);
      };
    });
  const fault = counting("tires of a crowd", 40, () => refusal(401, "UNAUTHORIZED"));
  const found = await tell(fault, [{ do: "crowd", of: "sessions" }, CHALLENGE]);
  assert.match(found.vector, /times: 5\n/);
  const patient = counting("asks for patience", 30, () => refusal(429, "OFFLINE_RATE_LIMIT"));
  const legal = { patient: withFault(patient) };
  assert.deepEqual(await holds(found, fault, legal), { reference: "passed", patient: "skipped" });
});

test("an answer that is compared with another is compared only where it holds the same thing", async () => {
  const fault = hiddenFault("gives another draft just at the end", (inner, now) => {
    const drafts = new Map<string, { readonly at: number; readonly answer: ReturnType<typeof inner> }>();
    return (call) => {
      const first = drafts.get(scopeOf(call));
      if (isBuild(call) && first !== undefined && now() - first.at === 30_000)
        return { ...first.answer, body: { ...first.answer.body, nextGate: "another gate" } };
      const answer = inner(call);
      if (isBuild(call) && answer.status === 200) drafts.set(scopeOf(call), { at: now(), answer });
      return answer;
    };
  });
  const atTheEnd: Command = { do: "wait", span: SPANS.indexOf("30s"), edge: "at", since: "now" };
  const found = await tell(fault, [BUILD, atTheEnd, BUILD], false);
  assert.match(found.vector, /open: DRAFT-INSTANT, ends-unless: 200, same-as: \$build1 }/);
  assert.deepEqual(await holds(found, fault, {}), { reference: "skipped" });
});

test("of what hangs on a reading that is told which hangs on none, where there is such a thing", async () => {
  const wakes = "an expired key that met other input serves its draft again";
  const fault = hiddenFaults.find(({ name }) => name === wakes) ?? assert.fail("no such fault");
  const spelt = (spelling: number): Command => ({ ...BUILD, spelling });
  const found = await tell(fault, [BUILD, TEN_MINUTES, spelt(2), BUILD, spelt(3)]);
  assert.equal(found.rule, "IDEMPOTENCY-14");
  assert.doesNotMatch(found.vector, /open:/);
  const legal = { forgetful: withFault(forgetting(() => undefined)) };
  assert.deepEqual(await holds(found, fault, legal), { reference: "passed", forgetful: "passed" });
});
