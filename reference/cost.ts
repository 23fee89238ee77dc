/** The cost of a launch at historical rent, in lamports (contract, "Unsigned draft"). */
export interface Cost {
  readonly basis: "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE";
  readonly accounts: readonly {
    readonly kind: string;
    readonly bytes: number;
    readonly historicalRentLamports: number;
  }[];
  readonly networkFeeLamports: number;
  readonly minimumLamports: number;
  readonly reserveLamports: number;
  readonly recommendedLamports: number;
}

/**
 * Account sizes in bytes. The sizes of mint and vaults are those of SPL Token; the size of the pool is
 * implementation-defined.
 */
const ACCOUNT_BYTES = { pool: 424, mint: 82, baseVault: 165, quoteVault: 165 };

/**
 * Historical rent exemption of Solana: two years at 3480 lamports per byte, with 128 bytes of overhead per
 * account.
 */
const ACCOUNT_OVERHEAD_BYTES = 128;
const LAMPORTS_PER_BYTE = 2 * 3480;

const LAMPORTS_PER_SIGNATURE = 5000;
const SIGNATURES = 2;
const RESERVE_LAMPORTS = 1_000_000;

/** Returns the cost, which is the same for every draft, as a new object. */
export function launchCost(): Cost {
  const accounts = Object.entries(ACCOUNT_BYTES).map(([kind, bytes]) => ({
    kind,
    bytes,
    historicalRentLamports: (ACCOUNT_OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE,
  }));
  const rent = accounts.reduce((sum, account) => sum + account.historicalRentLamports, 0);
  const networkFeeLamports = LAMPORTS_PER_SIGNATURE * SIGNATURES;
  const minimumLamports = rent + networkFeeLamports;
  return {
    basis: "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE",
    accounts,
    networkFeeLamports,
    minimumLamports,
    reserveLamports: RESERVE_LAMPORTS,
    recommendedLamports: minimumLamports + RESERVE_LAMPORTS,
  };
}
