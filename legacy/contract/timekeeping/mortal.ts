import { sameJson } from "../../engine/play/compare.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { responseSchemas } from "../judge/response-schemas.ts";
import { isAnswered, LIFETIME_MS, type OperationName, OUTCOMES } from "../operations.ts";
import { type Bench, expectServed, Unmeasurable } from "./bench.ts";

/** Asks whether something still lives. */
export type Probe = () => Promise<boolean>;

/** A kind of thing that lives for a time. */
export interface Mortal {
  /** The operation that it begins with. */
  readonly operation: OperationName;
  /** Its name, as reports say it. */
  readonly name: string;
  readonly lifetimeMs: number;
  /** Whether it can be asked for once only. */
  readonly once: boolean;
  /** Whether it may live on for as long as it likes, but for what its own answer says. */
  readonly mayLinger: boolean;
  /** Rules: that it lives until its time, and that it does not live on. */
  readonly rules: { readonly lives: string; readonly ends: string };
  /** Begins one. @throws {Unmeasurable} where the service gives none */
  begin(bench: Bench): Promise<{ readonly probe: Probe; readonly body?: Exchange["body"] }>;
}

type Answer = Pick<Exchange, "status" | "body">;
type Refusal = Parameters<typeof isAnswered>[0];

/** @throws {Unmeasurable} where the answer is neither */
function isAlive(answer: Answer, over: Refusal): boolean {
  if (isAnswered(over, answer)) return false;
  if (answer.status === OUTCOMES.served.status) return true;
  const said = `${answer.status} ${String(answer.body["code"] ?? "")}`;
  throw new Unmeasurable(`what was to be served or over was answered ${said}`);
}

/** What lives for a time (contract, "Limits"). */
export const MORTALS: readonly Mortal[] = [
  {
    operation: "challenge",
    name: "challenge",
    lifetimeMs: LIFETIME_MS.challenge,
    once: true,
    mayLinger: false,
    rules: { lives: "CHALLENGE-20", ends: "CHALLENGE-21" },
    begin: async (bench) => {
      const prove = await bench.challenge();
      return { probe: async () => isAlive(await prove(), OUTCOMES.spentChallenge) };
    },
  },
  {
    operation: "verify",
    name: "session",
    lifetimeMs: LIFETIME_MS.session,
    once: false,
    mayLinger: false,
    rules: { lives: "SESSION-5", ends: "SESSION-7" },
    begin: async (bench) => {
      const session = await bench.session();
      const probe = async () => isAlive(await bench.build(bench.freshKey(), session), OUTCOMES.unauthorized);
      return { probe };
    },
  },
  {
    operation: "build",
    name: "draft",
    lifetimeMs: LIFETIME_MS.draft,
    once: false,
    mayLinger: true,
    rules: { lives: "IDEMPOTENCY-5", ends: "IDEMPOTENCY-14" },
    begin: async (bench) => {
      const { named } = responseSchemas();
      const key = bench.freshKey();
      const { body } = expectServed(await bench.build(key));
      // Another draft under the key is no life of the first.
      const probe = async () => {
        const again = await bench.build(key);
        return isAlive(again, OUTCOMES.rebuild) && sameJson(named("build", again.body), named("build", body));
      };
      return { probe, body };
    },
  },
];
