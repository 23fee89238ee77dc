import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { ImplementationInfo } from "../adapters/adapter.ts";
import type { Recorded, RecordedRestart, RecordingHeader } from "../engine/audit/recorded.ts";
import type { Listener } from "./recording-adapter.ts";
import { type RecordingFacts, type RecordingForm, recordingForm } from "./write-recording.ts";

/** Writes bytes into an open file, or as many of them as find room; in a pipe there are no places. */
export type WriteBytes = (
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
) => number;

/** A file that is whole after each part that is added: its end is written behind it, and goes on with the next. */
export class GrowingFile {
  readonly #end: string;
  readonly #writeBytes: WriteBytes;
  readonly #descriptor: number;
  /** Where the next part is to stand; undefined in what is no file, such as a pipe. */
  #at: number | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(file: string, end: string, writeBytes: WriteBytes = writeSync) {
    this.#end = end;
    this.#writeBytes = writeBytes;
    this.#descriptor = openSync(file, "w", 0o600);
    this.#at = fstatSync(this.#descriptor).isFile() ? 0 : undefined;
  }

  /** Whether a part that could not be added can be tried again: nothing is left of it. */
  get canGoOn(): boolean {
    return this.#at !== undefined;
  }

  /** Adds a part, or nothing of it. @throws the file system's error */
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

  /** Leaves nothing of what was not written whole: there is room for the end, which stood there before. */
  #cutBack(at: number): void {
    try {
      ftruncateSync(this.#descriptor, at);
      if (at > 0) this.#put(this.#end, at);
    } catch {
      // The disk is gone, and with it the file: that is told for the part.
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

/** What a recording of a run says of itself besides what the service states. */
type RunFacts = Omit<RecordingFacts, keyof RecordingHeader>;

/** Whatever takes text, piece by piece; tells whether it did. */
type TextSink = (text: string) => boolean;

/** Writes what passes in a run as a recording. */
export class RecordingText implements Listener {
  readonly #file: string;
  readonly #write: TextSink;
  readonly #facts: RunFacts;
  #form: RecordingForm | undefined;
  /** A restart that is not yet written. */
  #restart: RecordedRestart | undefined;
  #exchanges = 0;

  /** @param file its name, which tells the form */
  constructor(file: string, facts: RunFacts, write: TextSink) {
    this.#file = file;
    this.#facts = facts;
    this.#write = write;
  }

  /** What stands at the end of the file. */
  get end(): string {
    return recordingForm(this.#file, { ...this.#facts, complete: false, facts: {} }).end;
  }

  /** How many exchanges were written. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** What the file says of itself comes from whoever answers first. Nothing is missing where the kit starts the service. */
  connected({ facts, capabilities }: ImplementationInfo): void {
    if (this.#form !== undefined) return;
    const header = { complete: capabilities.restart, facts: { ...facts } };
    this.#form = recordingForm(this.#file, { ...this.#facts, ...header });
    this.#write(this.#form.begin);
  }

  passed(item: Recorded): void {
    if (this.#form === undefined) return;
    if (item.kind === "restart") {
      const text = this.#form.restart(item);
      if (text === undefined) this.#restart = item;
      else this.#write(text);
      return;
    }
    // What began before the restart and ended after it does not tell of it.
    const after = item.startedMs < (this.#restart?.startedMs ?? 0) ? undefined : this.#restart;
    const between = this.#exchanges === 0 ? "" : this.#form.between;
    if (this.#write(between + this.#form.exchange(item, after))) this.#exchanges += 1;
    if (after !== undefined) this.#restart = undefined;
  }
}

/** What came of a recording. */
export interface WrittenRecording {
  readonly file: string;
  readonly exchanges: number;
  /** Why the rest is missing, where something could not be written. */
  readonly fault?: string;
}

/** A file into which is written what passes, as it passes. */
export class RecordingFile {
  readonly #file: string;
  readonly #growing: GrowingFile;
  readonly #text: RecordingText;
  #isOpen = true;
  #fault: string | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(file: string, facts: RunFacts) {
    this.#file = file;
    this.#text = new RecordingText(file, facts, (text) => this.#append(text));
    this.#growing = new GrowingFile(file, this.#text.end);
  }

  get listener(): Listener {
    return this.#text;
  }

  /** There is no more; may be called again. */
  end(): WrittenRecording {
    if (this.#isOpen) this.#try(() => this.#growing.close());
    this.#isOpen = false;
    const fault = this.#fault;
    const { exchanges } = this.#text;
    return { file: this.#file, exchanges, ...(fault === undefined ? {} : { fault }) };
  }

  /** Nothing is written after what could not be: a run's recording is whole, or ends somewhere. */
  #append(text: string): boolean {
    if (this.#fault === undefined) this.#try(() => this.#growing.add(text));
    return this.#fault === undefined;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#fault ??= (thrown as NodeJS.ErrnoException).code ?? "no reason told";
    }
  }
}
