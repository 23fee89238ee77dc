import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import type { Facts } from "../adapters/adapter.ts";
import { thrownLine } from "../adapters/one-line.ts";
import { type ProofSeen, ProofWatch } from "../contract/traffic/proof-watch.ts";
import { SecretMasks } from "../contract/traffic/secret-masks.ts";
import type { BesideWork } from "./beside-work.ts";
import type { PassedExchange, PassedMessage } from "./passed-exchange.ts";
import { readableExchange } from "./readable-exchange.ts";
import { type RecordingFacts, recordingForm } from "./recording-text.ts";

/** What a recorder is made of; can be handed to a thread. */
export interface RecorderData extends RecordingFacts {
  readonly file: string;
  /** What is signed, where that is stated. */
  readonly signedBytes?: Facts["signedBytes"];
  /** What masks are made with; without it secrets are written as they are. */
  readonly maskKey?: Uint8Array;
}

/** What came of a recording. */
export interface Recorded {
  readonly file: string;
  readonly exchanges: number;
  /** Why the rest is missing, where something could not be written. */
  readonly fault?: string;
}

/** Writes what passes into a file as it passes. */
export class Recorder implements BesideWork<never, Recorded> {
  readonly #file: string;
  readonly #form: ReturnType<typeof recordingForm>;
  readonly #secrets: { readonly masks: SecretMasks; readonly proofs: ProofWatch } | undefined;
  readonly #descriptor: number;
  /** Where the next exchange is to stand; in a file, where the end was written for as long as there is no more. */
  #at: number | undefined;
  #exchanges = 0;
  #fault: string | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(data: RecorderData) {
    const { file, signedBytes, maskKey } = data;
    this.#file = file;
    this.#form = recordingForm(file, data);
    this.#secrets =
      maskKey === undefined
        ? undefined
        : { masks: new SecretMasks(maskKey), proofs: new ProofWatch(signedBytes) };
    this.#descriptor = openSync(file, "w", 0o600);
    this.#at = fstatSync(this.#descriptor).isFile() ? 0 : undefined;
    this.#write(this.#form.begin);
  }

  take(exchange: PassedExchange): readonly never[] {
    if (this.#fault !== undefined) return [];
    const { exchange: shown, proof } = this.#shown(readableExchange(exchange));
    const text = this.#form.text(shown, proof === undefined ? {} : { proof });
    if (this.#write((this.#exchanges === 0 ? "" : this.#form.between) + text)) this.#exchanges += 1;
    return [];
  }

  tick(): readonly never[] {
    return [];
  }

  end(): Recorded {
    if (this.#at === undefined) this.#write(this.#form.end);
    closeSync(this.#descriptor);
    const fault = this.#fault === undefined ? {} : { fault: this.#fault };
    return { file: this.#file, exchanges: this.#exchanges, ...fault };
  }

  /** An exchange as it may be shown. */
  #shown(exchange: PassedExchange): { readonly exchange: PassedExchange; readonly proof?: ProofSeen } {
    if (this.#secrets === undefined) return { exchange };
    const { masks, proofs } = this.#secrets;
    const { request, response, startedMs } = exchange;
    const proof = proofs.take({
      startedMs,
      method: request.method,
      path: request.target,
      requestBody: request.body,
      ...(response === undefined ? {} : { status: response.status, responseBody: response.body }),
    });
    const [asked, answered] = masks.masked([request, response]);
    return {
      exchange: {
        ...exchange,
        request: { ...request, ...asMessage(asked, request) },
        ...(response === undefined || answered === undefined
          ? {}
          : { response: { ...response, ...asMessage(answered, response) } }),
      },
      ...(proof === undefined ? {} : { proof }),
    };
  }

  /** Writes a text, and in a file the end behind it, so that what is there is whole at any time. @returns whether it is written */
  #write(text: string): boolean {
    if (this.#fault !== undefined) return false;
    try {
      if (this.#at === undefined) this.#put(Buffer.from(text), undefined);
      else {
        this.#put(Buffer.from(text + this.#form.end), this.#at);
        this.#at += Buffer.byteLength(text);
      }
      return true;
    } catch (thrown) {
      this.#fault = (thrown as NodeJS.ErrnoException).code ?? thrownLine(thrown);
      return false;
    }
  }

  #put(bytes: Uint8Array, at: number | undefined): void {
    for (let put = 0; put < bytes.length; )
      put += writeSync(this.#descriptor, bytes, put, bytes.length - put, at === undefined ? null : at + put);
  }
}

/** A masked message, as many bytes larger or smaller as its masks are. */
function asMessage(
  { headers, body }: { readonly headers: PassedMessage["headers"]; readonly body: unknown },
  before: PassedMessage,
): PassedMessage {
  const masked = body instanceof Uint8Array ? body : before.body;
  return { headers, body: masked, bytes: before.bytes - before.body.length + masked.length };
}
