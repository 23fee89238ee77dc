/** Checks of responses. A client that signs a wrong draft may lose what its keys control. */

/** The members of the profile that the client uses. */
export interface Profile {
  readonly termsHash: string;
  readonly platform: string;
  readonly feeWallet: string;
  readonly withdrawAuthority: string;
}

/** Returns whether a response claims a public or approved service, which the contract rules out. */
export function claimsTooMuch(body: Readonly<Record<string, unknown>>): boolean {
  return ["productionApproved", "publicServer"].some((name) => name in body && body[name] !== false);
}

type Members = Readonly<Record<string, unknown>>;

/** Returns, in words, how a profile contradicts the contract, or undefined. */
export function doubtsAboutProfile(profile: Members): string | undefined {
  const isDenied = profile["productionApproved"] === false && profile["publicServer"] === false;
  return isDenied ? undefined : "the service does not say that it is neither public nor approved";
}

/** Returns, in words, how a challenge contradicts the contract or the launch, or undefined. */
export function doubtsAboutChallenge(
  { id, message, expiresAt, productionApproved }: Members,
  { creator, termsHash }: { readonly creator: string; readonly termsHash: string },
): string | undefined {
  const parts = [creator, "offline-demo", termsHash];
  if (typeof message !== "string" || !parts.every((part) => message.includes(part)))
    return "the message to sign does not name the creator, the audience, and the terms";
  if (typeof id !== "string" || isMissing(expiresAt)) return "the challenge has no ID or no expiry";
  return productionApproved === false ? undefined : "the challenge does not say that it is not approved";
}

/** Returns, in words, how a session contradicts the contract, or undefined. */
export function doubtsAboutSession({ scope, expiresAt, productionApproved }: Members): string | undefined {
  if (scope !== "offline:launch-draft") return "the session has another scope";
  if (isMissing(expiresAt)) return "the session has no expiry";
  return productionApproved === false ? undefined : "the session does not say that it is not approved";
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Constant members of every draft (contract, "Unsigned draft"). */
const CLAIMS = {
  mode: "OFFLINE_PROTOTYPE",
  fixtureOnly: true,
  productionApproved: false,
  sendable: false,
  placeholderBlockhash: true,
  metadataPublicationVerified: false,
  currentBalanceVerified: false,
} as const;

/** Returns, in words, how a draft contradicts the contract or the launch, or undefined. */
export function doubtsAboutDraft(
  draft: Readonly<Record<string, unknown>>,
  { creator, mint, profile }: { readonly creator: string; readonly mint: string; readonly profile: Profile },
): string | undefined {
  for (const [name, claim] of Object.entries(CLAIMS)) {
    if (draft[name] !== claim) return `the draft does not say that ${name} is ${claim}`;
  }
  for (const name of ["platform", "feeWallet", "withdrawAuthority"] as const) {
    if (draft[name] !== profile[name]) return `the draft and the profile have different values of ${name}`;
  }
  if (JSON.stringify(draft["requiredSigners"]) !== JSON.stringify([creator, mint])) {
    return "the signers of the draft are not the creator and the mint";
  }
  const { messageHash, unsignedTransactionBase64, nextGate, expiresAt } = draft;
  if (!isCost(Object(draft["cost"]))) return "the cost does not add up";
  if (typeof messageHash !== "string" || !/^[0-9a-f]{64}$/.test(messageHash))
    return "the draft has no hash of its message";
  if (typeof nextGate !== "string" || isMissing(expiresAt)) return "the draft has no next step or no expiry";
  if (typeof unsignedTransactionBase64 !== "string") return "the draft has no transaction";
  return doubtsAboutTransaction(Buffer.from(unsignedTransactionBase64, "base64"), [creator, mint]);
}

/** Kinds of the accounts in a cost. */
const KINDS = ["pool", "mint", "baseVault", "quoteVault"];

function isCost(cost: Members): boolean {
  const { basis, accounts, networkFeeLamports, minimumLamports, reserveLamports, recommendedLamports } = cost;
  const areAccounts =
    Array.isArray(accounts) &&
    accounts.every((one) => Number.isInteger(one?.bytes) && Number.isInteger(one?.historicalRentLamports)) &&
    KINDS.every((kind) => accounts.some((one) => one?.kind === kind));
  return (
    basis === "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE" &&
    areAccounts &&
    Number.isInteger(networkFeeLamports) &&
    Number.isInteger(minimumLamports) &&
    reserveLamports === 1_000_000 &&
    recommendedLamports === Number(minimumLamports) + reserveLamports
  );
}

const SIGNATURE_BYTES = 64;

/** A Solana transaction starts with the number of signatures, followed by the signatures. */
function doubtsAboutTransaction(bytes: Buffer, signers: readonly string[]): string | undefined {
  const end = 1 + signers.length * SIGNATURE_BYTES;
  const signatures = bytes.subarray(1, end);
  if (bytes[0] !== signers.length || bytes.length <= end) {
    return "the transaction does not have two signatures";
  }
  if (signatures.some((byte) => byte !== 0)) return "the transaction is signed already";
  const message = bytes.subarray(end);
  if (!signers.every((signer) => message.includes(decodeBase58(signer)))) {
    return "the transaction does not name both the creator and the mint";
  }
  return undefined;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns the 32 bytes of an address. */
function decodeBase58(address: string): Buffer {
  let value = 0n;
  for (const letter of address) value = value * 58n + BigInt(BASE58.indexOf(letter));
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}
