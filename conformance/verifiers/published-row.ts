import type { PublishedCase } from "./load-verifiers.ts";

/** How a library verifies. */
export type SignatureHolds = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean | Promise<boolean>;

/** What the library of that id does with each of the published cases, as the row of the table. */
export async function rowOf(id: string, cases: readonly PublishedCase[]): Promise<readonly boolean[]> {
  const library = (await import(new URL(`./libraries/${id}.ts`, import.meta.url).href)) as {
    readonly signatureHolds: SignatureHolds;
  };
  const row: boolean[] = [];
  for (const { signature, message, key } of cases)
    row.push(await library.signatureHolds(signature, message, key));
  return row;
}
