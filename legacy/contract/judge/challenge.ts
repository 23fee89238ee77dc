import type { SignedBytes } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import {
  type Advice,
  type Judgement,
  type Mismatch,
  type Observation,
  show,
} from "../../engine/play/judgement.ts";
import { readableBytes } from "../keys/message-bytes.ts";
import { AUDIENCE, LIFETIME_MS } from "../operations.ts";
import type { JudgeContext } from "./judge-context.ts";
import { requestJson } from "./request-json.ts";
import { base58Bytes, holdsText } from "./response-schemas.ts";
import {
  holdsMoment,
  isNoMoment,
  judgeLifetime,
  mayHoldUnreadMoment,
  NOT_READ,
  parseTimestamp,
  timestampForm,
} from "./timestamp.ts";

/** Judges a challenge beyond the form of its fields (contract, "Challenge"). */
export function judgeChallenge(exchange: Exchange, context: JudgeContext): Judgement {
  const { body, sentAt } = exchange;
  const message = readMessage(exchange, context);
  const form = timestampForm(body["expiresAt"], sentAt);
  return {
    mismatches: [
      ...judgeLifetime(exchange, LIFETIME_MS.challenge, "CHALLENGE-9", context),
      ...(message === undefined ? [] : judgeMessage(message, body)),
    ],
    observations: [
      ...seen("CHALLENGE-TIMESTAMP-FORMAT", form),
      ...(message === undefined ? [] : observeMessage(message, context)),
    ],
    advice: adviseOnForm("CHALLENGE-40", exchange),
  };
}

/** An observed reading of an open point, where there is one. */
export function seen(point: string, reading: string | undefined): readonly Observation[] {
  return reading === undefined ? [] : [{ point, reading }];
}

/** Recommends a form of `expiresAt` that the kit reads, and says what was not judged. */
export function adviseOnForm(rule: string, { body: { expiresAt }, sentAt }: Exchange): readonly Advice[] {
  if (timestampForm(expiresAt, sentAt) !== NOT_READ) return [];
  const message =
    "expiresAt has a form that is not read, so its value is not tested: write RFC 3339 or Unix seconds";
  return [{ rule, message }];
}

/** What a challenge message must contain, each in the form in which it does; a form is undefined where it does not. */
interface ChallengeMessage {
  readonly text: string;
  /** Whose challenge it is, and the terms hash, where they are known; otherwise their forms are undefined, too. */
  readonly creator: string | undefined;
  readonly creatorForm: "base58" | HexForm | undefined;
  readonly termsHash: string | undefined;
  readonly termsForm: HexForm | undefined;
  readonly namesAudience: boolean;
  /** `same`: as `expiresAt` is written; undefined where the message surely does not contain it. */
  readonly expiryForm: "same" | "other" | typeof NOT_READ | undefined;
}

/** The form of bytes within others. */
type HexForm = "hex" | "raw";

/** Forms of the signed bytes in which the message is not meant to be read as text. */
const ENCODED: ReadonlySet<SignedBytes> = new Set<SignedBytes>(["hex", "base64"]);

/** Text that is the same as its bytes. */
const PLAIN = /^[\x20-\x7e]+$/;

/** Reads the message of a challenge (contract, "Challenge"); undefined where it has none. */
function readMessage(
  exchange: Exchange,
  { facts: { signedBytes }, profile, clockToleranceMs }: JudgeContext,
): ChallengeMessage | undefined {
  const { message, expiresAt } = exchange.body;
  if (typeof message !== "string") return undefined;
  const plain = ENCODED.has(signedBytes) ? "" : message;
  let all: Buffer | undefined;
  const bytes = () => {
    all ??= Buffer.from(readableBytes(message, exchange.aside, signedBytes));
    return all;
  };
  // Most messages are plain text: only others are decoded.
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
  const expiryForm = (): ChallengeMessage["expiryForm"] => {
    if (holds(typeof expiresAt === "string" ? expiresAt : (JSON.stringify(expiresAt) ?? ""))) return "same";
    const expiry = parseTimestamp(expiresAt, exchange.sentAt + LIFETIME_MS.challenge);
    // What is no moment at all violates CHALLENGE-9, and hides nothing.
    if (expiry === undefined) return isNoMoment(expiresAt) ? "other" : NOT_READ;
    if (holdsMoment(bytes(), expiry.ms, 1000 + clockToleranceMs)) return "other";
    // A message of one word is encoded; of any other, words may look encoded by chance.
    const said = plain === "" || !/\s/.test(plain) ? bytes() : Buffer.from(plain);
    return mayHoldUnreadMoment(said) ? NOT_READ : undefined;
  };
  const creator = textOf(requestJson(exchange.request)?.["creator"]);
  const termsHash = textOf(profile?.["termsHash"]);
  return {
    text: message,
    creator,
    creatorForm: creator === undefined ? undefined : keyForm(creator),
    termsHash,
    termsForm: termsHash === undefined ? undefined : hexForm(termsHash),
    namesAudience: holds(AUDIENCE),
    expiryForm: expiryForm(),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function judgeMessage(message: ChallengeMessage, body: Exchange["body"]): readonly Mismatch[] {
  const { creator, termsHash } = message;
  const lacks = (rule: string, what: string): Mismatch => {
    const got = show(message.text, 400);
    return { rule, path: "message", expected: `one that contains ${what}`, got };
  };
  const found: Mismatch[] = [];
  if (creator !== undefined && message.creatorForm === undefined)
    found.push(lacks("CHALLENGE-5", `the creator ${creator}`));
  if (!message.namesAudience) found.push(lacks("CHALLENGE-6", `the audience ${AUDIENCE}`));
  if (termsHash !== undefined && message.termsForm === undefined)
    found.push(lacks("CHALLENGE-7", `the terms hash ${termsHash}`));
  if (message.expiryForm === undefined)
    found.push(lacks("CHALLENGE-8", `the expiry ${show(body["expiresAt"])} in any form`));
  return found;
}

function observeMessage(
  message: ChallengeMessage,
  { facts: { signedBytes } }: JudgeContext,
): readonly Observation[] {
  return [
    ...seen("MESSAGE-LAYOUT", ENCODED.has(signedBytes) ? "encoded" : layoutOf(message.text)),
    ...seen("MESSAGE-CREATOR-FORM", message.creatorForm),
    ...seen("MESSAGE-TERMS-FORM", message.termsForm),
    ...seen("MESSAGE-EXPIRY-FORM", message.expiryForm),
  ];
}

function layoutOf(message: string): string {
  if (isJsonObject(message)) return "json";
  if (!/^[\t\n\r -~\u00a0-\uffff]+$/.test(message)) return "other";
  return message.trim().includes("\n") ? "lines" : "one-line";
}

function isJsonObject(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
