import { keyPairOf } from "../../contract/keys/key-pair.ts";
import { type Body, changed, type GOOD } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";

const OTHER_KEY = keyPairOf("somebody else").address;
const HEX_64 = "a".repeat(64);

type Operation = keyof typeof GOOD;

/** An answer whose body was changed. No profile is known: else every change of it would also break PLATFORM-10. */
function spoil(
  rule: string,
  operation: Operation,
  what: string,
  change: (body: Body) => unknown,
): BrokenAnswer {
  const context = operation === "platform" ? { context: { profile: undefined } } : {};
  return { rule, what: `${operation}: ${what}`, exchange: changed(operation, change), ...context };
}

/** Answers in which one member is absent, or another value. */
function member(
  rule: string,
  operation: Operation,
  path: string,
  ...others: readonly unknown[]
): readonly BrokenAnswer[] {
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const holder = (body: Body) => steps.reduce((inner, step) => inner[step], body);
  return [
    spoil(rule, operation, `${path} is absent`, (body) => delete holder(body)[last]),
    ...others.map((other) =>
      spoil(rule, operation, `${path} is ${JSON.stringify(other)}`, (body) =>
        Object.assign(holder(body), { [last]: other }),
      ),
    ),
  ];
}

const NO_KEYS = [null, 5, "", "1".repeat(31), "1".repeat(33), `${OTHER_KEY}1`, `0${OTHER_KEY.slice(1)}`];
const NO_HASHES = [null, 5, "", HEX_64.slice(1), `${HEX_64}a`, HEX_64.toUpperCase(), `g${HEX_64.slice(1)}`];
const NO_COUNTS = [null, "5", -1, 0.5, [], {}];
const NO_MOMENTS = [null, true, {}, "", "soon", 60, 3_600_000, "2026-10-10T25:00:00Z"];

/** Every field of every answer, absent and wrong. */
export const BROKEN_FIELDS: readonly BrokenAnswer[] = [
  ...member("PLATFORM-1", "platform", "mode", "ONLINE", null, ["OFFLINE_PROTOTYPE"]),
  ...member("PLATFORM-2", "platform", "platform", ...NO_KEYS),
  ...member("PLATFORM-3", "platform", "feeWallet", ...NO_KEYS),
  ...member("PLATFORM-4", "platform", "withdrawAuthority", ...NO_KEYS),
  ...member("PLATFORM-5", "platform", "termsStatus", "LAUNCH_AGREEMENT", null),
  ...member("PLATFORM-6", "platform", "creatorBpsImplemented", "5000", 50, 5000.5, null),
  ...member("PLATFORM-7", "platform", "publicServer", true, 0, "false", null),
  ...member("PLATFORM-8", "platform", "termsHash", ...NO_HASHES),
  spoil("PLATFORM-9", "platform", "nothing describes signing", (body) => delete body.signing),
  ...member("SERVICE-2", "platform", "productionApproved", true, 0, "false", null),

  ...member("CHALLENGE-1", "challenge", "id", null, 5, "", "a".repeat(47), "a".repeat(49), "A".repeat(48)),
  ...member("CHALLENGE-4", "challenge", "message", null, 5, ["x"]),
  ...member("CHALLENGE-9", "challenge", "expiresAt", ...NO_MOMENTS),
  ...member("SERVICE-2", "challenge", "productionApproved", true, null),

  ...member("SESSION-1", "verify", "bearer", null, 5, "", {}),
  ...member("SESSION-2", "verify", "expiresAt", ...NO_MOMENTS),
  ...member("SESSION-3", "verify", "scope", "offline:everything", null, ["offline:launch-draft"]),
  ...member("SERVICE-2", "verify", "productionApproved", true, null),

  ...member("DRAFT-1", "build", "mode", "ONLINE", null),
  ...member("DRAFT-2", "build", "fixtureOnly", false, 1, null),
  ...member("DRAFT-3", "build", "sendable", true, 0, null),
  ...member("DRAFT-4", "build", "placeholderBlockhash", false, "true", null),
  ...member("DRAFT-5", "build", "expiresAt", null, "1791633637137", 0.5, "2026-10-10T12:00:37Z"),
  ...member("DRAFT-6", "build", "platform", ...NO_KEYS, OTHER_KEY),
  ...member("DRAFT-7", "build", "feeWallet", ...NO_KEYS, OTHER_KEY),
  ...member("DRAFT-8", "build", "withdrawAuthority", ...NO_KEYS, OTHER_KEY),
  ...member("DRAFT-9", "build", "requiredSigners", null, {}, [], [OTHER_KEY]),
  spoil("DRAFT-9", "build", "the signers are in the wrong order", (body) => body.requiredSigners.reverse()),
  spoil("DRAFT-9", "build", "a third signer is required", (body) => body.requiredSigners.push(OTHER_KEY)),
  spoil("DRAFT-9", "build", "another key is the mint", (body) =>
    body.requiredSigners.splice(1, 1, OTHER_KEY),
  ),
  spoil("DRAFT-9", "build", "a signer is no key", (body) => body.requiredSigners.splice(1, 1, "mint")),
  ...member("DRAFT-10", "build", "messageHash", ...NO_HASHES),
  ...member("DRAFT-11", "build", "unsignedTransactionBase64", null, 5),
  ...member("DRAFT-14", "build", "cost", null, 5, [], "free"),
  ...member("DRAFT-15", "build", "metadataPublicationVerified", true, null),
  ...member("DRAFT-16", "build", "currentBalanceVerified", true, null),
  ...member("DRAFT-17", "build", "nextGate", null, 5, "", []),
  ...member("SERVICE-2", "build", "productionApproved", true, null),

  ...member("COST-1", "build", "cost.basis", "CURRENT_RPC_QUOTE", null),
  ...member("COST-2", "build", "cost.accounts", null, {}, []),
  ...member("COST-2", "build", "cost.accounts.2.kind", "vault", "pool", null),
  spoil("COST-2", "build", "an account is missing", (body) => body.cost.accounts.pop()),
  spoil("COST-2", "build", "a kind comes twice", (body) => body.cost.accounts.push(body.cost.accounts[0])),
  spoil("COST-2", "build", "an account is no object", (body) =>
    body.cost.accounts.splice(3, 1, "quoteVault"),
  ),
  ...member("COST-3", "build", "cost.accounts.0.bytes", ...NO_COUNTS),
  ...member("COST-4", "build", "cost.accounts.3.historicalRentLamports", ...NO_COUNTS),
  ...member("COST-5", "build", "cost.networkFeeLamports", ...NO_COUNTS),
  ...member("COST-6", "build", "cost.minimumLamports", null, "5", 0.5),
  spoil("COST-6", "build", "the minimum is below zero", ({ cost }) =>
    Object.assign(cost, { minimumLamports: -1, recommendedLamports: 999_999 }),
  ),
  ...member("COST-7", "build", "cost.reserveLamports", null, "1000000", 999_999.5),
  ...member("COST-8", "build", "cost.recommendedLamports", null, "5", 0.5, 0),
  spoil("COST-8", "build", "the sum is one off", (body) => (body.cost.recommendedLamports += 1)),
];
