import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { ImplementationInfo } from "../adapters/adapter.ts";
import type { Recorded, RecordedRestart, RecordingHeader } from "../engine/audit/recorded.ts";
import type { Listener } from "./recording-adapter.ts";
import { type RecordingFacts, type RecordingForm, recordingForm } from "./write-recording.ts";

/** Writes bytes into an open file, or as many of them as fit; a pipe has no positions. */
export type WriteBytes = (
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
) => number;

/** A file that is valid after each part that is added: its end is written after each, and overwritten by the next. */
export class GrowingFile {
  readonly #end: string;
  readonly #writeBytes: WriteBytes;
  readonly #descriptor: number;
  /** Position of the next part; undefined in a pipe and the like. */
  #at: number | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(file: string, end: string, writeBytes: WriteBytes = writeSync) {
    this.#end = end;
    this.#writeBytes = writeBytes;
    this.#descriptor = openSync(file, "w", 0o600);
    this.#at = fstatSync(this.#descriptor).isFile() ? 0 : undefined;
  }

  /** Whether writing can continue after a failure: nothing is left of the failed part. */
  get canGoOn(): boolean {
    return this.#at !== undefined;
  }

  /** Adds a part as a whole or not at all. @throws the file system's error */
  add(text: string): void {
    const at = this.#at;
    if (at === undefined) {
      this.#put(text, undefined);
      return;
    }
    try {
      this.#put(text + this.#end, at);
    } catch (thrown) {
      this.#cutBack(at);
      throw thrown;
    }
    this.#at = at + Buffer.byteLength(text);
  }

  /** @throws the file system's error, where the end cannot be written */
  close(): void {
    try {
      if (this.#at === undefined) this.#put(this.#end, undefined);
    } finally {
      closeSync(this.#descriptor);
    }
  }

  /** Removes a part that was not written whole; the end fits, since it stood there before. */
  #cutBack(at: number): void {
    try {
      ftruncateSync(this.#descriptor, at);
      if (at > 0) this.#put(this.#end, at);
    } catch {
      // The file is gone; the error of the part is reported.
    }
  }

  #put(text: string, at: number | undefined): void {
    const bytes = Buffer.from(text);
    for (let put = 0; put < bytes.length; )
      put += this.#writeBytes(
        this.#descriptor,
        bytes,
        put,
        bytes.length - put,
        at === undefined ? null : at + put,
      );
  }
}

/** Destination of text. */
type TextSink = Pick<GrowingFile, "add" | "canGoOn" | "close">;

/** Result of a recording. */
export interface WrittenRecording {
  readonly file: string;
  readonly exchanges: number;
  /** Number of exchanges that could not be written, and the first error. */
  readonly unwritten?: { readonly exchanges: number; readonly fault: string };
}

/**
 * Writes a recording as exchanges pass. A complete recording ends with the first exchange that cannot be written;
 * any other continues as soon as it can.
 */
export class RecordingWriter {
  readonly #sink: TextSink;
  readonly #form: RecordingForm;
  readonly #mayLackSome: boolean;
  #isBegun: boolean;
  /** A restart that is not written yet. */
  #restart: RecordedRestart | undefined;
  #exchanges = 0;
  #unwritten = 0;
  /** Error of the first failure, and whether the last write failed. */
  #fault: string | undefined;
  #fails = false;

  /** @param file its name tells the form */
  constructor(file: string, facts: RecordingFacts, sink: TextSink) {
    this.#sink = sink;
    this.#form = recordingForm(file, facts);
    this.#mayLackSome = !facts.complete;
    this.#isBegun = this.#write(this.#form.begin);
  }

  /** Exchanges that could not be written, while writing fails. */
  get missing(): { readonly exchanges: number; readonly fault: string } | undefined {
    return this.#fails && this.#unwritten > 0 ? this.#lost() : undefined;
  }

  /** Adds an exchange or a restart. @returns whether it is written */
  add(item: Recorded): boolean {
    if (item.kind === "restart") return this.#addRestart(item);
    // An exchange that began before the restart does not carry it.
    const after = item.startedMs < (this.#restart?.startedMs ?? 0) ? undefined : this.#restart;
    const before =
      (this.#isBegun ? "" : this.#form.begin) + (this.#exchanges === 0 ? "" : this.#form.between);
    if (!this.#write(before + this.#form.exchange(item, after))) {
      this.#unwritten += 1;
      return false;
    }
    this.#isBegun = true;
    this.#exchanges += 1;
    if (after !== undefined) this.#restart = undefined;
    return true;
  }

  /** Ends the recording. */
  end(file: string): WrittenRecording {
    this.#try(() => this.#sink.close());
    const lost = this.#lost();
    return { file, exchanges: this.#exchanges, ...(lost === undefined ? {} : { unwritten: lost }) };
  }

  #addRestart(item: RecordedRestart): boolean {
    const text = this.#form.restart(item);
    if (text !== undefined) return this.#write(text);
    this.#restart = item;
    return true;
  }

  #write(text: string): boolean {
    if (this.#fails && !(this.#mayLackSome && this.#sink.canGoOn)) return false;
    this.#fails = !this.#try(() => this.#sink.add(text));
    return !this.#fails;
  }

  #try(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (thrown) {
      this.#fault ??= (thrown as NodeJS.ErrnoException).code ?? "no reason told";
      return false;
    }
  }

  #lost(): WrittenRecording["unwritten"] {
    return this.#fault === undefined ? undefined : { exchanges: this.#unwritten, fault: this.#fault };
  }
}

/** End of a recording of this name. */
export function endOfRecording(file: string): string {
  const nothing = {
    complete: false,
    facts: {},
    contract: "",
    creator: { name: "", version: "" },
    baseUrl: "",
  };
  return recordingForm(file, nothing).end;
}

/** Records a run: the header comes from the first connection. */
export class RunRecording implements Listener {
  readonly #file: string;
  readonly #facts: Omit<RecordingFacts, keyof RecordingHeader>;
  readonly #sink: TextSink;
  #writer: RecordingWriter | undefined;
  #written: WrittenRecording | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(
    file: string,
    facts: Omit<RecordingFacts, keyof RecordingHeader>,
    sink: TextSink = new GrowingFile(file, endOfRecording(file)),
  ) {
    this.#file = file;
    this.#facts = facts;
    this.#sink = sink;
  }

  /** The recording is complete where the kit starts the service. */
  connected({ facts, capabilities }: ImplementationInfo): void {
    this.#writer ??= this.#begun({ complete: capabilities.restart, facts: { ...facts } });
  }

  passed(item: Recorded): void {
    this.#writer?.add(item);
  }

  /** Ends the recording; may be called again. */
  end(): WrittenRecording {
    this.#writer ??= this.#begun({ complete: false, facts: {} });
    this.#written ??= this.#writer.end(this.#file);
    return this.#written;
  }

  #begun(header: RecordingHeader): RecordingWriter {
    return new RecordingWriter(this.#file, { ...this.#facts, ...header }, this.#sink);
  }
}
