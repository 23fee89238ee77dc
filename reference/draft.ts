import { hash } from "node:crypto";
import { type Cost, launchCost } from "./cost.ts";
import type { LaunchRequest } from "./launch-request.ts";
import { FEE_WALLET, PLATFORM, WITHDRAW_AUTHORITY } from "./profile.ts";
import { unsignedTransaction } from "./transaction.ts";

/** Lifetime of a draft in ms, during which retries return it (contract, "Limits"). */
export const DRAFT_LIFETIME_MS = 30_000;

/** The unsigned launch draft (contract, "Unsigned draft"). */
export interface Draft {
  readonly mode: "OFFLINE_PROTOTYPE";
  readonly fixtureOnly: true;
  readonly productionApproved: false;
  readonly sendable: false;
  readonly placeholderBlockhash: true;
  /** Expiry in ms since the Unix epoch (implementation-defined). */
  readonly expiresAt: number;
  readonly platform: string;
  readonly feeWallet: string;
  readonly withdrawAuthority: string;
  readonly requiredSigners: readonly [creator: string, mint: string];
  /** SHA-256 of the transaction's message, which signers would sign (implementation-defined). */
  readonly messageHash: string;
  readonly unsignedTransactionBase64: string;
  readonly cost: Cost;
  readonly metadataPublicationVerified: false;
  readonly currentBalanceVerified: false;
  readonly nextGate: string;
}

/** Creates the draft of a valid request. @param now time in ms since the Unix epoch */
export function createDraft(request: LaunchRequest, now: number): Draft {
  const { messageBytes, wireBytes } = unsignedTransaction(request);
  return {
    mode: "OFFLINE_PROTOTYPE",
    fixtureOnly: true,
    productionApproved: false,
    sendable: false,
    placeholderBlockhash: true,
    expiresAt: now + DRAFT_LIFETIME_MS,
    platform: PLATFORM,
    feeWallet: FEE_WALLET,
    withdrawAuthority: WITHDRAW_AUTHORITY,
    requiredSigners: [request.creator, request.mint],
    messageHash: hash("sha256", messageBytes),
    unsignedTransactionBase64: Buffer.from(wireBytes).toString("base64"),
    cost: launchCost(),
    metadataPublicationVerified: false,
    currentBalanceVerified: false,
    nextGate: "READ_ONLY_PREFLIGHT_REQUIRED",
  };
}

/** Returns a deep copy, so that callers cannot change the stored draft. */
export function copyDraft(draft: Draft): Draft {
  const accounts = draft.cost.accounts.map((account) => ({ ...account }));
  return { ...draft, requiredSigners: [...draft.requiredSigners], cost: { ...draft.cost, accounts } };
}
