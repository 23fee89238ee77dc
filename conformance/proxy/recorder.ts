import type { Facts } from "../adapters/adapter.ts";
import { thrownLine } from "../adapters/one-line.ts";
import { GrowingFile, type WriteBytes } from "../audit/recording-file.ts";
import { type RecordingFacts, type RecordingForm, recordingForm } from "../audit/write-recording.ts";
import { ProofWatch } from "../contract/traffic/proofs.ts";
import { SecretMasks } from "../contract/traffic/secret-masks.ts";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import type { BesideWork } from "./beside.ts";
import { type PassedExchange, recordedOf } from "./passed-exchange.ts";

/** What a recorder is made of; can be handed to a thread. */
export interface RecorderData extends Omit<RecordingFacts, "complete"> {
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
  /** How many are missing since they could not be written, and why the first could not. */
  readonly unwritten?: { readonly exchanges: number; readonly fault: string };
}

/** Writes what passes into a file as it passes, and goes on once it can where for a while it could not. */
export class Recorder implements BesideWork<string, Recorded> {
  readonly #name: string;
  readonly #form: RecordingForm;
  readonly #secrets: { readonly masks: SecretMasks; readonly proofs: ProofWatch } | undefined;
  readonly #file: GrowingFile;
  #begun = false;
  #exchanges = 0;
  #unwritten = 0;
  /** Why the first that is missing could not be written, and whether the last could not, either. */
  #fault: string | undefined;
  #fails = false;

  /** @throws the file system's error, where the file cannot be opened */
  constructor(data: RecorderData, writeBytes?: WriteBytes) {
    const { file, signedBytes, maskKey } = data;
    this.#name = file;
    this.#form = recordingForm(file, { ...data, complete: false });
    this.#secrets =
      maskKey === undefined
        ? undefined
        : { masks: new SecretMasks(maskKey), proofs: new ProofWatch(signedBytes) };
    this.#file = new GrowingFile(file, this.#form.end, writeBytes);
    this.#begun = this.#write(this.#form.begin);
  }

  take(exchange: PassedExchange): readonly string[] {
    const shown = this.#shown(recordedOf(exchange, this.#name));
    const before = (this.#begun ? "" : this.#form.begin) + (this.#exchanges === 0 ? "" : this.#form.between);
    const text = this.#form.exchange(shown);
    const failed = this.#unwritten > 0 && this.#fails;
    if (this.#write(before + text)) {
      this.#begun = true;
      this.#exchanges += 1;
      return failed ? [`the recording goes on; ${this.#unwritten} exchanges are missing in it`] : [];
    }
    this.#unwritten += 1;
    return failed ? [] : [`what passes cannot be recorded (${this.#fault}), and will be missing`];
  }

  tick(): readonly string[] {
    return [];
  }

  end(): Recorded {
    try {
      this.#file.close();
    } catch (thrown) {
      this.#fault ??= nameOf(thrown);
    }
    const unwritten =
      this.#fault === undefined ? {} : { unwritten: { exchanges: this.#unwritten, fault: this.#fault } };
    return { file: this.#name, exchanges: this.#exchanges, ...unwritten };
  }

  /** An exchange as it may be shown. */
  #shown(exchange: RecordedExchange): RecordedExchange {
    if (this.#secrets === undefined) return exchange;
    const proof = this.#secrets.proofs.take(exchange);
    return { ...this.#secrets.masks.exchange(exchange), ...(proof === undefined ? {} : { proof }) };
  }

  /** @returns whether it is written */
  #write(text: string): boolean {
    if (this.#fails && !this.#file.canGoOn) return false;
    try {
      this.#file.add(text);
      this.#fails = false;
    } catch (thrown) {
      this.#fails = true;
      this.#fault ??= nameOf(thrown);
    }
    return !this.#fails;
  }
}

function nameOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? thrownLine(thrown);
}
