import bs58 from "bs58";

/** The parts of a transaction in the Solana wire format. */
export interface WireParts {
  readonly signatures: readonly Uint8Array[];
  readonly version: "legacy" | 0 | 7;
  /** How many of the first accounts sign. */
  readonly required: number;
  readonly accounts: readonly string[];
  readonly blockhash: Uint8Array;
  /** What the last account is called with; no instruction where it is absent. */
  readonly data?: string;
}

/** The bytes of a transaction: signatures, header, accounts, blockhash, instructions. All counts are below 128. */
export function wireBytes({ signatures, version, required, accounts, blockhash, data }: WireParts): Buffer {
  const prefix = version === "legacy" ? [] : [0x80 | version];
  const header = [required, 0, 0];
  const instructions =
    data === undefined
      ? Buffer.of(0)
      : Buffer.concat([Buffer.of(1, accounts.length - 1, 2, 0, 1, data.length), Buffer.from(data)]);
  const lookups = version === "legacy" ? [] : [0];
  return Buffer.concat([
    Buffer.from([signatures.length]),
    ...signatures,
    Buffer.from([...prefix, ...header, accounts.length]),
    ...accounts.map((account) => bs58.decode(account)),
    blockhash,
    instructions,
    Buffer.from(lookups),
  ]);
}
