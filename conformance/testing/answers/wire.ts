import bs58 from "bs58";

/** The parts of a transaction in the Solana wire format. */
export interface WireParts {
  readonly signatures: readonly Uint8Array[];
  readonly version: "legacy" | 0 | 7;
  /** How many of the first accounts sign. */
  readonly required: number;
  readonly accounts: readonly string[];
  readonly blockhash: Uint8Array;
}

/** The bytes of a transaction without instructions: signatures, header, accounts, blockhash. All counts are below 128. */
export function wireBytes({ signatures, version, required, accounts, blockhash }: WireParts): Buffer {
  const prefix = version === "legacy" ? [] : [0x80 | version];
  const header = [required, 0, 0];
  const lookups = version === "legacy" ? [] : [0];
  return Buffer.concat([
    Buffer.from([signatures.length]),
    ...signatures,
    Buffer.from([...prefix, ...header, accounts.length]),
    ...accounts.map((account) => bs58.decode(account)),
    blockhash,
    Buffer.from([0, ...lookups]),
  ]);
}
