import type { Facts } from "../adapters/adapter.ts";
import {
  endOfRecording,
  GrowingFile,
  RecordingWriter,
  type WriteBytes,
  type WrittenRecording,
} from "../audit/recording-file.ts";
import type { RecordingFacts } from "../audit/write-recording.ts";
import { ProofWatch } from "../contract/traffic/proofs.ts";
import { SecretMasks } from "../contract/traffic/secret-masks.ts";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import type { BesideWork } from "./beside.ts";
import { type PassedExchange, recordedOf } from "./passed-exchange.ts";

/** Options of a recorder; can be cloned to a thread. */
export interface RecorderData extends Omit<RecordingFacts, "complete"> {
  readonly file: string;
  /** Which bytes are signed, where stated. */
  readonly signedBytes?: Facts["signedBytes"];
  /** Key of the masks; without it secrets are written as they are. */
  readonly maskKey?: Uint8Array;
}

/** Writes traffic into a file as it passes. */
export class Recorder implements BesideWork<string, WrittenRecording> {
  readonly #name: string;
  readonly #secrets: { readonly masks: SecretMasks; readonly proofs: ProofWatch } | undefined;
  readonly #writer: RecordingWriter;

  /** @throws the file system's error, where the file cannot be opened */
  constructor(data: RecorderData, writeBytes?: WriteBytes) {
    const { file, signedBytes, maskKey } = data;
    this.#name = file;
    this.#secrets =
      maskKey === undefined
        ? undefined
        : { masks: new SecretMasks(maskKey), proofs: new ProofWatch(signedBytes) };
    const growing = new GrowingFile(file, endOfRecording(file), writeBytes);
    this.#writer = new RecordingWriter(file, { ...data, complete: false }, growing);
  }

  take(exchange: PassedExchange): readonly string[] {
    const before = this.#writer.missing;
    if (this.#writer.add(this.#shown(recordedOf(exchange, this.#name))))
      return before === undefined
        ? []
        : [`the recording goes on; ${before.exchanges} exchanges are missing in it`];
    if (before !== undefined) return [];
    return [`what passes cannot be recorded (${this.#writer.missing?.fault}), and will be missing`];
  }

  tick(): readonly string[] {
    return [];
  }

  end(): WrittenRecording {
    return this.#writer.end(this.#name);
  }

  /** An exchange as it may be shown. */
  #shown(exchange: RecordedExchange): RecordedExchange {
    if (this.#secrets === undefined) return exchange;
    const proof = this.#secrets.proofs.take(exchange);
    return { ...this.#secrets.masks.exchange(exchange), ...(proof === undefined ? {} : { proof }) };
  }
}
