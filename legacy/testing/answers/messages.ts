import { createHash } from "node:crypto";
import bs58 from "bs58";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Body, changed, GOOD, ISSUED_AT } from "../exchanges.ts";

/** When the good challenge expires, in ms since the Unix epoch. */
export const EXPIRES_AT = ISSUED_AT + 60_000;

/** What a challenge message has to hold, each part to be left out or written in another form. */
export interface MessageParts {
  readonly creator: string | Buffer;
  readonly audience: string | Buffer;
  readonly termsHash: string | Buffer;
  readonly expiry: string | Buffer;
}

/** The parts as the reference writes them. */
export const PARTS: MessageParts = {
  creator: JSON.parse(String(GOOD.challenge.request.body)).creator as string,
  audience: "offline-demo",
  termsHash: GOOD.platform.body["termsHash"] as string,
  expiry: new Date(EXPIRES_AT).toISOString(),
};

/** The creator and the terms hash as their bytes. */
export const RAW_CREATOR = Buffer.from(bs58.decode(String(PARTS.creator)));
export const RAW_TERMS_HASH = Buffer.from(String(PARTS.termsHash), "hex");

/** A part with nothing of what it is about. */
export const NOTHING = createHash("sha256").update("nothing").digest().subarray(0, 5);

/** A good challenge whose message holds these parts, encoded as the bytes to sign are. */
export function challengeWith(
  parts: Partial<MessageParts>,
  signedBytes: "utf8" | "hex" | "base64" = "utf8",
): Exchange {
  const { creator, audience, termsHash, expiry } = { ...PARTS, ...parts };
  const bytes = Buffer.concat(
    [creator, audience, termsHash, expiry].flatMap((part) => [Buffer.from(part), Buffer.from(" | ")]),
  );
  return changed("challenge", (body: Body) => {
    body.message = bytes.toString(signedBytes);
  });
}
