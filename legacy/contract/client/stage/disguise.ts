import type { ServiceRequest, SignedBytes } from "../../../adapters/adapter.ts";
import { requestJson } from "../../judge/request-json.ts";
import { messageBytes } from "../../keys/message-bytes.ts";
import { proofText } from "../../keys/proof.ts";
import { proofWeigher } from "../../model/proof-holds.ts";
import { AUDIENCE, type OperationName } from "../../operations.ts";
import { BEARER_FORMS, type BearerFormName } from "../script/bearer-forms.ts";
import { MESSAGE_LAYOUTS, type MessageLayoutName } from "../script/message-layouts.ts";
import type { Person } from "../script/scenario.ts";
import { TIMESTAMP_FORMS, type TimestampFormName } from "../script/timestamp-forms.ts";
import type { ServiceIdentity } from "./service-identity.ts";
import type { StagePeople } from "./stage-people.ts";

type Body = Readonly<Record<string, unknown>>;

/** A challenge as it was served, and as the reference knows it. */
interface ServedChallenge {
  readonly creator: string;
  readonly message: string;
  readonly theirs: string;
}

/** In which forms answers are served. */
export interface AnswerForms {
  readonly message?: MessageLayoutName;
  readonly timestamps?: TimestampFormName;
  readonly bearer?: BearerFormName;
}

/** The layout of messages and the form of moments where a vector says nothing. */
const USUAL = { message: "lines", timestamps: "iso-8601" } as const;

/**
 * Makes the reference look like another service: its hash, wallets, messages, moments and bearers are others, and what a
 * client does with them is what it does with the reference's.
 */
export class Disguise {
  readonly #identity: ServiceIdentity;
  readonly #people: StagePeople;
  readonly #signedBytes: SignedBytes;
  readonly #holds = proofWeigher();
  readonly #challenges = new Map<string, ServedChallenge>();
  /** Bearers of the reference and people by the bearer that was served. */
  readonly #sessions = new Map<string, { readonly theirs: string; readonly creator: string }>();

  constructor(identity: ServiceIdentity, people: StagePeople, signedBytes: SignedBytes) {
    this.#identity = identity;
    this.#people = people;
    this.#signedBytes = signedBytes;
  }

  /** The service has forgotten its challenges and sessions. */
  forget(): void {
    this.#challenges.clear();
    this.#sessions.clear();
  }

  /** The session of this bearer has ended before its time. */
  endSession(bearer: string | undefined): void {
    if (bearer !== undefined) this.#sessions.delete(bearer);
  }

  /** Who asks: by the body of a challenge request, by the challenge that is proved, by the session. */
  personAsking(operation: string, call: ServiceRequest): Person | undefined {
    const json = requestJson(call);
    const address =
      operation === "challenge"
        ? json?.["creator"]
        : operation === "verify"
          ? this.#challenges.get(String(json?.["id"]))?.creator
          : (this.#sessions.get(call.bearer ?? "")?.creator ?? json?.["creator"]);
    return this.#people.ofAddress(address);
  }

  /** A client's call as the reference is to have it. */
  toReference(operation: string, call: ServiceRequest): ServiceRequest {
    if (operation === "challenge") return this.#challengeCall(call);
    if (operation === "verify") return this.#verifyCall(call);
    if (operation !== "build" || call.bearer === undefined) return call;
    const session = this.#sessions.get(call.bearer);
    // What was never served must not be a bearer of the reference by chance, nor one that has ended.
    return { ...call, bearer: session?.theirs ?? `not ${call.bearer}` };
  }

  #challengeCall(call: ServiceRequest): ServiceRequest {
    if (typeof call.body !== "string") return call;
    const swapped = this.#identity.swapped(call.body);
    const json = requestJson(call);
    // A hash that was written in escapes.
    if (swapped === call.body && typeof json?.["termsHash"] === "string")
      return {
        ...call,
        body: JSON.stringify({ ...json, termsHash: this.#identity.swapped(json["termsHash"]) }),
      };
    return { ...call, body: swapped };
  }

  /** A proof over the message that was served is, to the reference, one over its own message. */
  #verifyCall(call: ServiceRequest): ServiceRequest {
    const json = requestJson(call);
    const { id, signatureBase64 } = json ?? {};
    const served = this.#challenges.get(String(id));
    const person = this.#people.ofAddress(served?.creator);
    if (served === undefined || person === undefined || typeof signatureBase64 !== "string") return call;
    const signature = Buffer.from(signatureBase64, "base64");
    if (signature.length !== 64 || signature.toString("base64") !== signatureBase64) return call;
    if (this.#holds(served.creator, messageBytes(served.message, this.#signedBytes), signature) !== "yes")
      return call;
    const signer = this.#people.keyPair(person);
    const proof = proofText({ signer, text: served.theirs, signedBytes: "utf8" });
    return { ...call, body: JSON.stringify({ ...json, signatureBase64: proof }) };
  }

  /** An answer of 200 of the reference, as this service gives it in these forms. */
  fromReference(operation: OperationName, call: ServiceRequest, body: Body, forms: AnswerForms): Body {
    switch (operation) {
      case "platform":
        return this.#identity.profile(body, this.#signedBytes);
      case "challenge":
        return this.#challenge(call, body, forms);
      case "verify":
        return this.#session(call, body, forms);
      case "build":
        return this.#identity.shown(body);
    }
  }

  #challenge(call: ServiceRequest, body: Body, forms: AnswerForms): Body {
    const creator = String(requestJson(call)?.["creator"]);
    const layout = MESSAGE_LAYOUTS[forms.message ?? USUAL.message];
    const { termsHash } = this.#identity;
    const text = layout({ creator, audience: AUDIENCE, termsHash, expiry: String(body["expiresAt"]) });
    const message = encoded(text, this.#signedBytes);
    this.#challenges.set(String(body["id"]), { creator, message, theirs: String(body["message"]) });
    return { ...body, message, expiresAt: moment(body, forms) };
  }

  #session(call: ServiceRequest, body: Body, forms: AnswerForms): Body {
    const theirs = String(body["bearer"]);
    const bearer = forms.bearer === undefined ? theirs : BEARER_FORMS[forms.bearer](theirs);
    const { creator = "" } = this.#challenges.get(String(requestJson(call)?.["id"])) ?? {};
    this.#sessions.set(bearer, { theirs, creator });
    return { ...body, bearer, expiresAt: moment(body, forms) };
  }
}

function moment(body: Body, { timestamps }: AnswerForms): unknown {
  return TIMESTAMP_FORMS[timestamps ?? USUAL.timestamps](Date.parse(String(body["expiresAt"])));
}

/** Where a client decodes the message before it signs, that is the message's encoding. */
function encoded(text: string, signedBytes: SignedBytes): string {
  return signedBytes === "hex" || signedBytes === "base64" ? Buffer.from(text).toString(signedBytes) : text;
}
