import { createHash } from "node:crypto";
import { keyPairOf } from "../../contract/keys/key-pair.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Body, exchangeOf, GOOD } from "../exchanges.ts";
import { CREATOR, MINT, PARTS } from "./transactions.ts";
import { wireBytes } from "./wire.ts";

/** A launch, and what its draft holds. */
export interface LaunchParts {
  readonly creator: string;
  readonly mint: string;
  readonly name: string;
  /** What the launch program is called with. */
  readonly data?: string;
  /** Bytes of a format of the service's own, in place of a message. */
  readonly message?: string;
  readonly blockhash: Uint8Array;
  /** What `messageHash` is the hash of, in place of the message. */
  readonly hashed?: string;
}

const PROGRAM = keyPairOf("program").address;
const USUAL = { creator: CREATOR, mint: MINT, name: "Copper Violin", blockhash: PARTS.blockhash };

/** A good draft of a launch. */
export function draftOfLaunch(given: Partial<LaunchParts>): Exchange {
  const { creator, mint, name, data, message, blockhash, hashed }: LaunchParts = { ...USUAL, ...given };
  const called = data === undefined ? {} : { data };
  const wire = wireBytes({ ...PARTS, accounts: [creator, mint, PROGRAM], blockhash, ...called });
  const bytes = message === undefined ? wire : Buffer.concat([wire.subarray(0, 129), Buffer.from(message)]);
  const input = JSON.parse(String(GOOD.build.request.body)) as Body;
  const body = structuredClone(GOOD.build.body) as Body;
  body.requiredSigners = [creator, mint];
  body.unsignedTransactionBase64 = bytes.toString("base64");
  body.messageHash = createHash("sha256")
    .update(hashed ?? bytes.subarray(129))
    .digest("hex");
  const request = { ...GOOD.build.request, body: JSON.stringify({ ...input, creator, mint, name }) };
  return exchangeOf(request, { status: 200, body });
}
