import type { SignedBytes } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { readableBytes } from "../keys/message-bytes.ts";
import { AUDIENCE } from "../operations.ts";
import { holdsText } from "./holds-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { requestJson } from "./request-json.ts";
import { base58Bytes } from "./response-schemas.ts";

/** What a challenge must say, and in which form its message does; a form is undefined where the message does not. */
export interface ChallengeMessage {
  /** Whose challenge it is, and the terms hash, as far as they are known; else there is no form of them either. */
  readonly creator: string | undefined;
  readonly creatorForm: "base58" | HexForm | undefined;
  readonly termsHash: string | undefined;
  readonly termsForm: HexForm | undefined;
  readonly namesAudience: boolean;
  /** Whether it holds the expiry just as the answer writes it. */
  readonly holdsExpiry: boolean;
  /** The bytes in which the message says all this. */
  readonly bytes: Uint8Array;
}

/** How bytes may stand in others. */
type HexForm = "hex" | "raw";

/** Forms in which the message is no text that is meant to be read. */
export const ENCODED: ReadonlySet<SignedBytes> = new Set<SignedBytes>(["hex", "base64"]);

/** Reads the message of a challenge (contract, "Challenge"); undefined where it has none. */
export function challengeMessage(
  exchange: Exchange,
  { facts: { signedBytes }, profile }: JudgeContext,
): ChallengeMessage | undefined {
  const { message, expiresAt } = exchange.body;
  if (typeof message !== "string") return undefined;
  const plain = ENCODED.has(signedBytes) ? "" : message;
  let all: Buffer | undefined;
  const bytes = () => {
    all ??= Buffer.from(readableBytes(message, exchange.aside, signedBytes));
    return all;
  };
  // Most messages say it all in plain words: only the others are looked into.
  const holds = (text: string) => (PLAIN.test(text) && plain.includes(text)) || holdsText(bytes(), text);
  const hexForm = (hex: string): HexForm | undefined => {
    if (PLAIN.test(hex) && plain.includes(hex)) return "hex";
    if (bytes().toString("latin1").toLowerCase().includes(hex.toLowerCase())) return "hex";
    return bytes().includes(Buffer.from(hex, "hex")) ? "raw" : undefined;
  };
  const keyForm = (address: string) => {
    if (holds(address)) return "base58";
    const key = base58Bytes(address);
    return key === undefined ? undefined : hexForm(Buffer.from(key).toString("hex"));
  };
  const creator = textOf(requestJson(exchange.request)?.["creator"]);
  const termsHash = textOf(profile?.["termsHash"]);
  return {
    creator,
    creatorForm: creator === undefined ? undefined : keyForm(creator),
    termsHash,
    termsForm: termsHash === undefined ? undefined : hexForm(termsHash),
    namesAudience: holds(AUDIENCE),
    holdsExpiry: holds(typeof expiresAt === "string" ? expiresAt : (JSON.stringify(expiresAt) ?? "")),
    get bytes() {
      return bytes();
    },
  };
}

/** What is the same in a text and in its bytes. */
const PLAIN = /^[\x20-\x7e]+$/;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
