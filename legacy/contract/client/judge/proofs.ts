import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { messageBytes } from "../../keys/message-bytes.ts";
import { proofWeigher } from "../../model/proof-holds.ts";
import { type Asked, answerInWords, type ClientReading, surelyTold } from "./client-reading.ts";
import { brokenBy, ordinalOf } from "./found.ts";
import type { StageKnowledge } from "./stage-knowledge.ts";

const SIGNATURE_BYTES = 64;

/** What proofs are over, whose they are, and how often they are sent (contract, "Authentication"). */
export function judgeProofs(reading: ClientReading, { facts }: StageKnowledge): readonly Violation[] {
  const proofs = reading.asked.filter(({ operation }) => operation === "verify");
  return proofs.flatMap((one) => [
    ...judgeChallengeId(one, reading),
    ...judgeSignature(one, reading, facts.signedBytes),
    ...judgeUsedUp(one, proofs),
  ]);
}

function judgeChallengeId(asked: Asked, { challenges }: ClientReading): readonly Violation[] {
  const { id } = asked.body.members;
  if (typeof id !== "string" || issuedBefore(challenges.get(id)?.by, asked)) return [];
  return [
    brokenBy(asked, "CLIENT-PROOF-1", {
      message: "a proof is sent for a challenge that the client was not given",
      expected: "the id of a challenge of this service",
      got: show(id),
    }),
  ];
}

function issuedBefore(by: Asked | undefined, asked: Asked): boolean {
  return by !== undefined && by.turn.index < asked.turn.index;
}

function judgeSignature(
  asked: Asked,
  { challenges }: ClientReading,
  signedBytes: StageKnowledge["facts"]["signedBytes"],
): readonly Violation[] {
  const { id, signatureBase64 } = asked.body.members;
  const challenge = challenges.get(String(id));
  if (challenge === undefined || typeof signatureBase64 !== "string") return [];
  const signature = new Uint8Array(Buffer.from(signatureBase64, "base64"));
  // What is written in no form of base64 is told as that alone.
  if (signature.length !== SIGNATURE_BYTES) return [];
  const { creator, message } = challenge;
  const holds = (signed: Uint8Array) => WEIGH(creator, signed, signature) === "yes";
  if (holds(messageBytes(message, signedBytes))) return [];
  const over = Object.entries(CHANGES).find(([, change]) => holds(change(message, String(id))));
  return [
    brokenBy(asked, "CLIENT-PROOF-2", {
      message: "the signature is not the creator's over the message as it was received",
      expected: `a signature of ${creator} over the message of the challenge`,
      got: over === undefined ? "one that does not hold" : `one over ${over[0]}`,
    }),
  ];
}

const WEIGH = proofWeigher();

/** What clients sign in place of the message: told, so that nobody has to guess. */
const CHANGES: Readonly<Record<string, (message: string, id: string) => Uint8Array>> = {
  "the message as UTF-8": (message) => messageBytes(message, "utf8"),
  "the message without white space at its ends": (message) => messageBytes(message.trim(), "utf8"),
  "the message without white space at its end": (message) => messageBytes(message.trimEnd(), "utf8"),
  "the message with a line feed after it": (message) => messageBytes(`${message}\n`, "utf8"),
  "the message with other line ends": (message) => messageBytes(message.replaceAll("\r\n", "\n"), "utf8"),
  "the message with CRLF for LF": (message) => messageBytes(message.replace(/\r?\n/g, "\r\n"), "utf8"),
  "the first line of the message": (message) => messageBytes(message.split(/\r?\n/)[0] ?? "", "utf8"),
  "the message in Unicode form NFC": (message) => messageBytes(message.normalize("NFC"), "utf8"),
  "the message in Unicode form NFKC": (message) => messageBytes(message.normalize("NFKC"), "utf8"),
  "the message in lower case": (message) => messageBytes(message.toLowerCase(), "utf8"),
  "the message without its byte order mark": (message) =>
    messageBytes(message.replace(/^\uFEFF/, ""), "utf8"),
  "the message in quotes, as JSON": (message) => messageBytes(JSON.stringify(message), "utf8"),
  "the message in Latin-1": (message) => Buffer.from(message, "latin1"),
  "the message in UTF-16": (message) => Buffer.from(message, "utf16le"),
  "the SHA-256 of the message": (message) => messageBytes(message, "sha256"),
  "what the message is the hexadecimal form of": (message) => messageBytes(message, "hex"),
  "what the message is the base64 of": (message) => messageBytes(message, "base64"),
  "the message in hexadecimal": (message) => Buffer.from(Buffer.from(message).toString("hex")),
  "the message in base64": (message) => Buffer.from(Buffer.from(message).toString("base64")),
  "the id of the challenge": (_, id) => messageBytes(id, "utf8"),
};

/** A proof for a challenge whose end was told, by success or by 401, to the same launch or in one that has ended. */
function judgeUsedUp(asked: Asked, proofs: readonly Asked[]): readonly Violation[] {
  const { id } = asked.body.members;
  const ends = proofs.filter(
    ({ body, status }) => body.members["id"] === id && (status === 200 || status === 401),
  );
  const earlier = ends.filter(({ launches }) =>
    launches.every(({ record }) => record.toTurn <= asked.turn.index),
  );
  const told = surelyTold(asked, ends) ? ends[0] : earlier.find(({ turn }) => turn.index < asked.turn.index);
  if (told === undefined || typeof id !== "string") return [];
  return [
    brokenBy(asked, "CLIENT-PROOF-4", {
      message: "a proof is sent for a challenge that is used up",
      expected: "a new challenge",
      got: `id ${id} again, after ${ordinalOf(told, asked)} was answered ${answerInWords(told)}`,
    }),
  ];
}
